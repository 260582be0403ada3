/* Functions of time over muParser's C API. The text is looked through first, name by name, so that
 * a misspelt function is answered with the nearest one, and so that what muParser takes but a deck
 * should not (assignments, lists, strings) never reaches it. */
#include "deck/expression.h"

#include <ctype.h>
#include <math.h>
#include <muParserDLL.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "deck/units.h"

enum { NAME_BYTES = 32, DEEPEST = 100 };

struct DlsExpression {
  char *text, *names;      /* as given */
  bool constant;           /* value[0] is all there is */
  muParserHandle_t parser; /* NULL for a plain number */
  int nvariables;
  double value[DLS_EXPRESSION_VARIABLES]; /* muParser reads the variables here */
};

static double square_root(double x) { return sqrt(x); }
static double sign(double x) { return (x > 0) - (x < 0); }
static double step(double t, double a) { return t >= a; }
static double ramp(double t, double a, double b) {
  if (!(b > a)) return t >= a;
  return t <= a ? 0 : t >= b ? 1 : (t - a) / (b - a);
}
static double pulse(double t, double a, double b) { return t >= a && t < b; }
static double least(const double *x, int n) {
  double value = x[0];
  for (int k = 1; k < n; k++) value = fmin(value, x[k]);
  return value;
}
static double greatest(const double *x, int n) {
  double value = x[0];
  for (int k = 1; k < n; k++) value = fmax(value, x[k]);
  return value;
}

typedef struct {
  const char *name, *call, *meaning;
  muFun1_t one;
  muFun2_t two;
  muFun3_t three;
  muMultFun_t many;
} Function;

static const Function functions[] = {
    {"sin", "sin(x)", "sine, x in rad", .one = sin},
    {"cos", "cos(x)", "cosine, x in rad", .one = cos},
    {"tan", "tan(x)", "tangent, x in rad", .one = tan},
    {"asin", "asin(x)", "inverse sine, in rad", .one = asin},
    {"acos", "acos(x)", "inverse cosine, in rad", .one = acos},
    {"atan", "atan(x)", "inverse tangent, in rad", .one = atan},
    {"atan2", "atan2(y,x)", "angle of the point (x, y), in rad", .two = atan2},
    {"sinh", "sinh(x)", "hyperbolic sine", .one = sinh},
    {"cosh", "cosh(x)", "hyperbolic cosine", .one = cosh},
    {"tanh", "tanh(x)", "hyperbolic tangent", .one = tanh},
    {"exp", "exp(x)", "e to the power x", .one = exp},
    {"log", "log(x)", "natural logarithm", .one = log},
    {"log10", "log10(x)", "logarithm of base 10", .one = log10},
    {"sqrt", "sqrt(x)", "square root", .one = square_root},
    {"abs", "abs(x)", "absolute value", .one = fabs},
    {"sign", "sign(x)", "-1, 0 or 1", .one = sign},
    {"floor", "floor(x)", "the whole number below", .one = floor},
    {"min", "min(a,b,...)", "the smallest", .many = least},
    {"max", "max(a,b,...)", "the largest", .many = greatest},
    {"step", "step(t,a)", "0 before a, 1 from a on", .two = step},
    {"ramp", "ramp(t,a,b)", "0 before a, 1 after b, a straight line between", .three = ramp},
    {"pulse", "pulse(t,a,b)", "1 from a to b, else 0", .three = pulse},
};

const char *dls_expression_function(int k, const char **meaning) {
  if (k < 0 || k >= DLS_COUNT(functions)) return NULL;
  *meaning = functions[k].meaning;
  return functions[k].call;
}

/* muParser asks for a handler; without one it prints nothing, but keeps the error all the same. */
static void keep_error(muParserHandle_t parser) { (void)parser; }

/* The k-th of "t|x|y" into name; false behind the last. */
static bool variable_name(const char *names, int k, char name[NAME_BYTES]) {
  for (; k > 0; k--) {
    names += strcspn(names, "|");
    if (*names == '\0') return false;
    names++;
  }
  const size_t length = strcspn(names, "|");
  snprintf(name, NAME_BYTES, "%.*s", (int)(length < NAME_BYTES ? length : NAME_BYTES - 1), names);
  return true;
}

static int is_variable(const char *names, const char *word) {
  char name[NAME_BYTES];
  for (int k = 0; variable_name(names, k, name); k++)
    if (strcmp(name, word) == 0) return true;
  return false;
}

static DlsStatus fail_at(size_t at, const char *text, const char *sentence, const char *cure) {
  return dls_fail(DLS_ERR_FORMAT, "%s at character %zu of '%.120s'; %s", sentence, at + 1, text,
                  cure);
}

static DlsStatus fail_name(const char *names, const char *text, size_t at, const char *word,
                           bool call) {
  char own[DLS_EXPRESSION_VARIABLES][NAME_BYTES], sentence[120];
  const char *known[DLS_COUNT(functions) + DLS_EXPRESSION_VARIABLES + 1];
  int n = 0, nown = 0;
  while (nown < DLS_EXPRESSION_VARIABLES && variable_name(names, nown, own[nown])) nown++;
  for (int k = 0; k < nown; k++) known[n++] = own[k];
  known[n++] = "pi";
  if (call) n = 0; /* what is followed by '(' is a function */
  for (int k = 0; k < DLS_COUNT(functions); k++) known[n++] = functions[k].name;
  const char *nearest = dls_nearest(word, known, n);
  snprintf(sentence, sizeof sentence, "unknown %s '%s'", call ? "function" : "name", word);
  if (!nearest) {
    char list[DLS_EXPRESSION_VARIABLES * (NAME_BYTES + 2)] = "";
    for (int k = 0; k < nown; k++) {
      const size_t used = strlen(list);
      snprintf(list + used, sizeof list - used, "%s, ", own[k]);
    }
    return dls_fail(DLS_ERR_FORMAT,
                    "%s at character %zu of '%.120s'; there are %spi, and functions such as "
                    "sin, sqrt, min, step, ramp",
                    sentence, at + 1, text, list);
  }
  return dls_fail(DLS_ERR_FORMAT, "%s at character %zu of '%.120s'; did you mean '%s'?", sentence,
                  at + 1, text, nearest);
}

/* One name: a variable, pi, or a function and its '('. */
static DlsStatus check_name(const char *names, const char *text, size_t *at, bool *varies) {
  char word[NAME_BYTES];
  const size_t start = *at;
  while (isalnum((unsigned char)text[*at]) || text[*at] == '_') ++*at;
  const size_t length = *at - start;
  snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
           text + start);
  size_t behind = *at;
  while (text[behind] == ' ') behind++;
  const bool call = text[behind] == '(';
  if (is_variable(names, word) && !call) {
    *varies = true;
    return DLS_OK;
  }
  if (strcmp(word, "pi") == 0 && !call) return DLS_OK;
  for (int k = 0; k < DLS_COUNT(functions); k++)
    if (strcmp(functions[k].name, word) == 0) {
      if (call) return DLS_OK;
      return fail_at(start, text, "a function without its (...)", "write such as sin(t)");
    }
  return fail_name(names, text, start, word, call);
}

/* Characters, names and brackets of the whole text; a comma outside brackets is no expression. */
static DlsStatus check_text(const char *names, const char *text, bool *varies) {
  int depth = 0;
  *varies = false;
  DLS_CHECK(strlen(text) <= DLS_EXPRESSION_BYTES, DLS_ERR_FORMAT,
            "the expression is longer than %d characters; shorten it", DLS_EXPRESSION_BYTES);
  for (size_t at = 0; text[at];) {
    const char c = text[at], after = text[at + 1];
    if (isalpha((unsigned char)c) || c == '_') {
      DLS_TRY(check_name(names, text, &at, varies));
      continue;
    }
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)after))) {
      double number;
      const char *rest;
      if (dls_number_parse(text + at, &number, &rest) != DLS_NUMBER_FOUND)
        return fail_at(at, text, "a number that cannot be read", "write it in decimals");
      at = (size_t)(rest - text);
      continue;
    }
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0)
      return fail_at(at, text, "a ')' without its '('", "remove it or open the bracket");
    if (depth > DEEPEST) return fail_at(at, text, "too many brackets", "simplify it");
    if (c == ',' && depth == 0)
      return fail_at(at, text, "a comma outside of brackets",
                     "write a decimal point, or remove it");
    if (strchr("<>=!", c) && after == '=') {
      at += 2;
      continue;
    }
    if ((c == '&' || c == '|') && after == c) {
      at += 2;
      continue;
    }
    if (c == '=') return fail_at(at, text, "'=' assigns nothing", "to compare write '=='");
    if (!strchr(" +-*/^()<>?:,", c))
      return fail_at(at, text, "a character that has no meaning", "remove it");
    at++;
  }
  if (depth > 0) return fail_at(strlen(text), text, "a ')' is missing", "close the bracket");
  return DLS_OK;
}

static void define(DlsExpression *e) {
  muParserHandle_t p = e->parser;
  mupSetErrorHandler(p, keep_error);
  mupClearFun(p);
  mupClearConst(p);
  mupDefineConst(p, "pi", 3.14159265358979323846);
  for (int k = 0; k < DLS_COUNT(functions); k++) {
    const Function *f = &functions[k];
    if (f->one) mupDefineFun1(p, f->name, f->one, 1);
    if (f->two) mupDefineFun2(p, f->name, f->two, 1);
    if (f->three) mupDefineFun3(p, f->name, f->three, 1);
    if (f->many) mupDefineMultFun(p, f->name, f->many, 1);
  }
  char name[NAME_BYTES];
  for (e->nvariables = 0; e->nvariables < DLS_EXPRESSION_VARIABLES; e->nvariables++) {
    if (!variable_name(e->names, e->nvariables, name)) break;
    mupDefineVar(p, name, &e->value[e->nvariables]);
  }
}

/* The call of the function whose name muParser has put in quotes: "ramp(t,a,b)". */
static const char *call_of(const char *sentence) {
  const char *name = strchr(sentence, '"');
  for (int k = 0; name && k < DLS_COUNT(functions); k++) {
    const size_t length = strlen(functions[k].name);
    if (strncmp(name + 1, functions[k].name, length) == 0 && name[1 + length] == '"')
      return functions[k].call;
  }
  return "sin(t)";
}

static const char *cure_of(const char *sentence) {
  if (strstr(sentence, "unexpected end")) return "a value is missing behind the last operator";
  if (strstr(sentence, "unexpected operator")) return "a value is missing before it";
  if (strstr(sentence, "unexpected")) return "an operator such as * is missing before it";
  if (strstr(sentence, "colon") || strstr(sentence, "if-then-else"))
    return "write condition ? value : other value";
  if (strstr(sentence, "without a function")) return "remove the comma";
  return "check the operators and brackets there";
}

/* muParser has one buffer for the sentences of all threads. */
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

/* muParser's sentence without its own position, then ours and the cure. */
static DlsStatus fail_parser(DlsExpression *e) {
  static const char *const positions[] = {" found at position", " at expression position",
                                          " at position", " (position"};
  char sentence[160];
  pthread_mutex_lock(&reading);
  snprintf(sentence, sizeof sentence, "%s", mupGetErrorMsg(e->parser));
  pthread_mutex_unlock(&reading);
  for (int k = 0; k < DLS_COUNT(positions); k++) {
    char *tail = strstr(sentence, positions[k]);
    if (tail) *tail = '\0';
  }
  if (sentence[0]) sentence[0] = (char)tolower((unsigned char)sentence[0]);
  const int position = mupGetErrorPos(e->parser);
  const size_t length = strlen(e->text);
  const size_t at = position >= 0 && (size_t)position < length ? (size_t)position : length;
  const bool arguments = strstr(sentence, "parameters for function") != NULL;
  return dls_fail(DLS_ERR_FORMAT, "%s at character %zu of '%.120s'; %s%s", sentence, at + 1,
                  e->text, arguments ? "write " : "",
                  arguments ? call_of(sentence) : cure_of(sentence));
}

static DlsStatus compile(DlsExpression *e) {
  e->parser = mupCreate(muBASETYPE_FLOAT);
  DLS_CHECK(e->parser, DLS_ERR_MEMORY, "out of memory for an expression");
  define(e);
  if (mupError(e->parser)) return fail_parser(e);
  mupSetExpr(e->parser, e->text);
  int results = 0;
  if (!mupError(e->parser)) mupEvalMulti(e->parser, &results);
  if (mupError(e->parser)) return fail_parser(e);
  return DLS_OK;
}

static DlsStatus fill(const char *text, const char *names, DlsExpression *e) {
  double number;
  const char *rest;
  DLS_NEW(e->text, strlen(text) + 1);
  memcpy(e->text, text, strlen(text));
  DLS_NEW(e->names, strlen(names) + 1);
  memcpy(e->names, names, strlen(names));
  DLS_CHECK(text[strspn(text, " ")], DLS_ERR_FORMAT,
            "the expression is empty; write a number or a function of t");
  if (dls_number_parse(text, &number, &rest) == DLS_NUMBER_FOUND && *rest == '\0') {
    e->constant = true;
    e->value[0] = number;
    return DLS_OK;
  }
  bool varies;
  DLS_TRY(check_text(names, text, &varies));
  DLS_TRY(compile(e));
  if (!varies) { /* folded: the parser is not needed any more */
    const double value = mupEval(e->parser);
    e->constant = true;
    e->value[0] = value;
    mupRelease(e->parser);
    e->parser = NULL;
  }
  return DLS_OK;
}

DlsStatus dls_expression_create(const char *text, const char *variables, DlsExpression **out) {
  *out = NULL;
  DlsExpression *e;
  DLS_NEW(e, 1);
  const DlsStatus status = fill(text, variables ? variables : "t", e);
  if (status != DLS_OK)
    dls_expression_destroy(&e);
  else
    *out = e;
  return status;
}

DlsStatus dls_expression_number(double value, DlsExpression **out) {
  char text[32];
  dls_number_write(value, text, sizeof text);
  *out = NULL;
  DLS_CHECK(isfinite(value), DLS_ERR_ARGUMENT, "%g is no finite number", value);
  return dls_expression_create(text, NULL, out);
}

DlsStatus dls_expression_copy(const DlsExpression *expression, DlsExpression **out) {
  return dls_expression_create(expression->text, expression->names, out);
}

void dls_expression_destroy(DlsExpression **expression) {
  if (!*expression) return;
  if ((*expression)->parser) mupRelease((*expression)->parser);
  free((*expression)->text);
  free((*expression)->names);
  free(*expression);
  *expression = NULL;
}

static double evaluate(DlsExpression *e) {
  const double value = mupEval(e->parser);
  return mupError(e->parser) ? NAN : value;
}

double dls_expression_value(DlsExpression *e, double t) {
  if (e->constant) return e->value[0];
  e->value[0] = t;
  for (int k = 1; k < e->nvariables; k++) e->value[k] = 0;
  return evaluate(e);
}

double dls_expression_at(DlsExpression *e, const double *variables) {
  if (e->constant) return e->value[0];
  memcpy(e->value, variables, (size_t)e->nvariables * sizeof *variables);
  return evaluate(e);
}

double dls_expression_rate(DlsExpression *e, double t, double h) {
  if (e->constant) return 0;
  return (dls_expression_value(e, t + h) - dls_expression_value(e, t - h)) / (2 * h);
}

DlsStatus dls_expression_check(DlsExpression *e, double from, double to, int samples) {
  if (samples < 1 || e->constant) samples = 1;
  for (int k = 0; k <= samples; k++) {
    const double t = from + (to - from) * k / samples, value = dls_expression_value(e, t);
    DLS_CHECK(isfinite(value), DLS_ERR_NUMERIC,
              "'%.120s' is %s at t = %g s; guard it, such as 1/max(t,1e-6)", e->text,
              isnan(value) ? "no number" : "infinite", t);
  }
  return DLS_OK;
}

bool dls_expression_is_constant(const DlsExpression *expression) { return expression->constant; }

const char *dls_expression_text(const DlsExpression *expression) { return expression->text; }
