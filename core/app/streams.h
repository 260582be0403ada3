/* The three standard streams: there from the start, and checked at the end. */
#ifndef DELASSUS_APP_STREAMS_H
#define DELASSUS_APP_STREAMS_H

/* A descriptor 0, 1 or 2 that is closed would be given to the next file that is opened, and what is
 * printed would stand in that file. Closed ones become a /dev/null that refuses: reading, or
 * writing. And a file larger than `ulimit -f` allows is a write that fails with its sentence, no
 * SIGXFSZ that kills. To be called before anything is opened. */
void app_streams_open(void);

/* Brings standard output to its end. Returns `status`, or APP_WRONG_INPUT with a sentence where not
 * all that was printed has arrived: a full disk, a closed descriptor. */
int app_streams_close(int status);

#endif
