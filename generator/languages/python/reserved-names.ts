/** Python keywords, except for soft keywords, which are valid names. */
const keywords = words(`
  False None True and as assert async await break class continue def del elif else except finally for from global if import
  in is lambda nonlocal not or pass raise return try while with yield`);

/** Built-ins and imports that the generated classes use inside their bodies, where a member of the same name would hide them. */
const usedInClasses = words('bool bytes classmethod dict field float int list property str');

/** Members of `Message` that a field must not hide. */
const messageMembers = words('from_json from_value to_json to_value');

/** Members of both clients. Members for flows are reserved, so that adding flows renames no call. */
const clientMembers = words(`
  aclose close with_options with_raw_response execution executions events follow pauses resume run start stream warm`);

/** Options of every call. A field with the same name cannot be a keyword next to them. */
export const callOptions: ReadonlySet<string> = new Set(
  words('timeout attempt_timeout max_retries idempotency_key headers'),
);

/** Imports of `messages.py`, and built-in names that a message would shadow. */
const messageModule = words(`
  TYPE_CHECKING Any Final Literal Message OpenEnum
  ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError
  BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError
  DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError
  FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError
  IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError
  NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning
  PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError
  RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError
  TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
  UserWarning ValueError Warning WindowsError ZeroDivisionError`);

/**
 * Modules that a file of the same name in `examples/` would hide from its own imports, since Python searches the folder of the
 * running program first: the standard library from 3.10 on, and dependencies of the HTTP library.
 */
const importable = words(`
  abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex bisect builtins
  bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent
  configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
  distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
  functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr
  imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal
  math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode
  operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath
  pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource
  rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site sitecustomize smtpd smtplib sndhdr socket
  socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess
  sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios test textwrap this threading time timeit
  tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib
  usercustomize uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile
  zipimport zlib zoneinfo
  anyio backports brotli brotlicffi certifi click exceptiongroup h11 h2 hpack httpcore httpx hyperframe idna pygments rich
  sniffio socksio trio typing_extensions zstandard`);

/** Names that Windows reserves for devices in every folder, with any extension. */
const devices = words(`
  aux con nul prn com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9`);

/** Members of Python's `Enum` and of `str` are lower case; an upper-case member could hide only these. */
export const reservedForEnumMembers: ReadonlySet<string> = new Set([...keywords]);

export const reservedForTypes: ReadonlySet<string> = new Set([...keywords, ...messageModule]);

export const reservedForFields: ReadonlySet<string> = new Set([
  ...keywords,
  ...usedInClasses,
  ...messageMembers,
]);

export const reservedForCalls: ReadonlySet<string> = new Set([
  ...keywords,
  ...usedInClasses,
  ...clientMembers,
]);

export const reservedForExamples: ReadonlySet<string> = new Set([...keywords, ...importable, ...devices]);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Reports whether a name cannot be written as an attribute or argument, only as a string. */
export function isKeyword(name: string): boolean {
  return keywords.includes(name);
}
