/* The checks of an ELF file before dlopen(). What this library's own header says (class, byte
 * order, machine) is what a plugin must say too. Source: System V ABI, chapter 4 (object files). */
#define _GNU_SOURCE /* dladdr */
#include "base/elf.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) Header;
typedef ElfW(Phdr) Segment;
typedef ElfW(Shdr) Section;
typedef ElfW(Sym) Symbol;

typedef struct {
  const char *noun, *path;
  int file;
  uint64_t size;
} Object;

#define REFUSE(object, format, ...)                                                                \
  return dls_fail(DLS_ERR_PLUGIN, "%s %s: " format, (object)->noun, (object)->path, __VA_ARGS__)

static bool within(const Object *o, uint64_t offset, uint64_t bytes) {
  return offset <= o->size && bytes <= o->size - offset;
}

static bool read_at(const Object *o, uint64_t offset, void *out, size_t bytes) {
  return within(o, offset, bytes) && pread(o->file, out, bytes, (off_t)offset) == (ssize_t)bytes;
}

/* The ELF header of this library, as the loader mapped it; NULL where it cannot be seen. */
static const Header *own_header(void) {
  Dl_info info;
  if (!dladdr((void *)(uintptr_t)&dls_elf_check, &info)) return NULL;
  return info.dli_fbase;
}

static DlsStatus check_header(const Object *o, const Header *header) {
  const Header *own = own_header();
  if (own) {
    if (header->e_ident[EI_CLASS] != own->e_ident[EI_CLASS])
      REFUSE(o, "it is a %s object, this program is %s; build it for this machine",
             header->e_ident[EI_CLASS] == ELFCLASS32 ? "32-bit" : "64-bit",
             own->e_ident[EI_CLASS] == ELFCLASS32 ? "32-bit" : "64-bit");
    if (header->e_ident[EI_DATA] != own->e_ident[EI_DATA])
      REFUSE(o, "its byte order is %d, this machine's %d; build it for this machine",
             header->e_ident[EI_DATA], own->e_ident[EI_DATA]);
    if (header->e_machine != own->e_machine)
      REFUSE(o, "it is for machine type %d, this one is %d; build it for this machine",
             header->e_machine, own->e_machine);
  }
  if (header->e_type != ET_DYN)
    REFUSE(o, "it is an ELF file of type %d (%s) and no shared object; link it with -shared",
           header->e_type,
           header->e_type == ET_REL    ? "an object file"
           : header->e_type == ET_EXEC ? "a program"
           : header->e_type == ET_CORE ? "a core dump"
                                       : "unknown");
  if (header->e_phnum == 0 || header->e_phentsize != sizeof(Segment))
    REFUSE(o, "its %d program headers of %d bytes are none that can be loaded; build it again",
           header->e_phnum, header->e_phentsize);
  if (!within(o, header->e_phoff, (uint64_t)header->e_phnum * header->e_phentsize))
    REFUSE(o, "it is cut off before its program headers end (%llu bytes); copy or build it again",
           (unsigned long long)o->size);
  return DLS_OK;
}

static DlsStatus check_segments(const Object *o, const Header *header) {
  bool dynamic = false;
  for (int i = 0; i < header->e_phnum; i++) {
    Segment segment;
    if (!read_at(o, header->e_phoff + (uint64_t)i * sizeof segment, &segment, sizeof segment))
      REFUSE(o, "program header %d cannot be read; copy or build it again", i);
    if (segment.p_type == PT_DYNAMIC) dynamic = true;
    if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC) continue;
    if (!within(o, segment.p_offset, segment.p_filesz))
      REFUSE(
          o,
          "segment %d ends at byte %llu, the file at %llu: it is cut off; copy or build it again",
          i, (unsigned long long)segment.p_offset + segment.p_filesz, (unsigned long long)o->size);
    if (segment.p_filesz > segment.p_memsz && segment.p_type == PT_LOAD)
      REFUSE(o, "segment %d holds more in the file than in memory; build it again", i);
  }
  if (!dynamic) REFUSE(o, "it has no dynamic %s; link it with -shared", "section");
  return DLS_OK;
}

/* Loading does not read the section headers, which linkers put last: without them, bytes are
 * missing. */
static DlsStatus check_sections(const Object *o, const Header *header) {
  if (header->e_shnum &&
      !within(o, header->e_shoff, (uint64_t)header->e_shnum * header->e_shentsize))
    REFUSE(o, "it is cut off before its section headers end (%llu bytes); copy or build it again",
           (unsigned long long)o->size);
  return DLS_OK;
}

static DlsStatus check_object(const Object *o) {
  unsigned char magic[SELFMAG];
  Header header;
  if (o->size == 0) REFUSE(o, "the file is %s; build it again", "empty");
  if (!read_at(o, 0, magic, sizeof magic) || memcmp(magic, ELFMAG, SELFMAG) != 0)
    REFUSE(o, "it does not begin as %s does; build it with cc -shared -fPIC", "a shared object");
  if (!read_at(o, 0, &header, sizeof header))
    REFUSE(o, "it is cut off within its header, after %llu bytes; copy or build it again",
           (unsigned long long)o->size);
  DLS_TRY(check_header(o, &header));
  DLS_TRY(check_segments(o, &header));
  return check_sections(o, &header);
}

DlsStatus dls_elf_check(const char *noun, const char *path, DlsFileIdentity *identity) {
  struct stat info;
  /* The kind first: opening a pipe would wait for its writer. */
  if (stat(path, &info) != 0) {
    const int why = errno;
    struct stat link;
    if (lstat(path, &link) == 0 && S_ISLNK(link.st_mode))
      return dls_fail(DLS_ERR_PLUGIN, "%s %s: it is a link to nothing (%s); mend the link", noun,
                      path, strerror(why));
    return dls_fail(DLS_ERR_PLUGIN, "%s %s: %s; check the path", noun, path, strerror(why));
  }
  if (S_ISDIR(info.st_mode))
    return dls_fail(DLS_ERR_PLUGIN, "%s %s: it is a folder; give the .so file in it", noun, path);
  if (!S_ISREG(info.st_mode))
    return dls_fail(DLS_ERR_PLUGIN,
                    "%s %s: it is no regular file but a pipe, socket or device; "
                    "give a .so file",
                    noun, path);
  Object o = {noun, path, open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), 0};
  if (o.file < 0)
    return dls_fail(DLS_ERR_PLUGIN, "%s %s: it cannot be read (%s); check its permissions", noun,
                    path, strerror(errno));
  DlsStatus status;
  if (fstat(o.file, &info) == 0) {
    o.size = (uint64_t)info.st_size;
    *identity = (DlsFileIdentity){info.st_dev, info.st_ino};
    status = check_object(&o);
  } else {
    status = dls_fail(DLS_ERR_PLUGIN, "%s %s: %s", noun, path, strerror(errno));
  }
  close(o.file);
  return status;
}

static bool read_section(const Object *o, const Header *header, uint32_t number, Section *out) {
  return number < header->e_shnum && header->e_shentsize == sizeof *out &&
         read_at(o, header->e_shoff + (uint64_t)number * sizeof *out, out, sizeof *out);
}

/* The name in the table of strings is `wanted`, its end included. */
static bool is_named(const Object *o, const Section *strings, uint64_t offset, const char *wanted) {
  char name[128];
  const size_t bytes = strlen(wanted) + 1;
  return bytes <= sizeof name && offset < strings->sh_size && bytes <= strings->sh_size - offset &&
         read_at(o, strings->sh_offset + offset, name, bytes) && memcmp(name, wanted, bytes) == 0;
}

static bool is_export(const Symbol *symbol) {
  const unsigned visibility = symbol->st_other & 3U, binding = symbol->st_info >> 4U;
  return symbol->st_shndx != SHN_UNDEF && binding != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

static DlsElfSymbol find_symbol(const Object *o, const char *wanted) {
  Header header;
  Section table, strings;
  uint32_t number = 0;
  if (!read_at(o, 0, &header, sizeof header)) return DLS_ELF_UNKNOWN;
  do {
    if (!read_section(o, &header, number++, &table)) return DLS_ELF_UNKNOWN;
  } while (table.sh_type != SHT_DYNSYM);
  if (table.sh_entsize != sizeof(Symbol) || !read_section(o, &header, table.sh_link, &strings) ||
      !within(o, table.sh_offset, table.sh_size))
    return DLS_ELF_UNKNOWN;
  for (uint64_t at = 0; at + sizeof(Symbol) <= table.sh_size; at += sizeof(Symbol)) {
    Symbol symbol;
    if (!read_at(o, table.sh_offset + at, &symbol, sizeof symbol)) return DLS_ELF_UNKNOWN;
    if (is_export(&symbol) && is_named(o, &strings, symbol.st_name, wanted))
      return DLS_ELF_EXPORTED;
  }
  return DLS_ELF_ABSENT;
}

DlsElfSymbol dls_elf_find(const char *path, const char *symbol) {
  struct stat info;
  Object o = {"", path, open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), 0};
  if (o.file < 0) return DLS_ELF_UNKNOWN;
  DlsElfSymbol found = DLS_ELF_UNKNOWN;
  if (fstat(o.file, &info) == 0 && S_ISREG(info.st_mode)) {
    o.size = (uint64_t)info.st_size;
    found = find_symbol(&o, symbol);
  }
  close(o.file);
  return found;
}
