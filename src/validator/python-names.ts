/** Modules that come with Python, of all versions that are in use, also those that newer ones have dropped. */
export const STANDARD_MODULES: ReadonlySet<string> = new Set(
  `
    __future__ __main__ _thread _typeshed abc aifc annotationlib antigravity argparse array ast asynchat
    asyncio asyncore atexit audioop base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi
    cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent
    configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm
    decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl
    filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext
    glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io
    ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math
    mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path
    numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil
    platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc
    pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets
    select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd
    sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess
    sunau symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
    threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle
    turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser
    winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
  `
    .trim()
    .split(/\s+/),
);

/** Packages of which a module comes whose name is not theirs. */
export const PACKAGES_OF_MODULES: Readonly<Record<string, readonly string[]>> = {
  attr: ["attrs"],
  bs4: ["beautifulsoup4"],
  crypto: ["pycryptodome", "pycrypto"],
  cv2: ["opencv-python", "opencv-python-headless", "opencv-contrib-python"],
  dateutil: ["python-dateutil"],
  docx: ["python-docx"],
  dotenv: ["python-dotenv"],
  fitz: ["pymupdf"],
  git: ["gitpython"],
  grpc: ["grpcio"],
  jose: ["python-jose"],
  jwt: ["pyjwt"],
  ldap: ["python-ldap"],
  magic: ["python-magic"],
  mpl_toolkits: ["matplotlib"],
  multipart: ["python-multipart"],
  mysqldb: ["mysqlclient"],
  openssl: ["pyopenssl"],
  pil: ["pillow"],
  pkg_resources: ["setuptools"],
  pptx: ["python-pptx"],
  psycopg2: ["psycopg2-binary"],
  pythoncom: ["pywin32"],
  rest_framework: ["djangorestframework"],
  serial: ["pyserial"],
  skimage: ["scikit-image"],
  sklearn: ["scikit-learn"],
  slugify: ["python-slugify"],
  socks: ["pysocks"],
  usb: ["pyusb"],
  win32api: ["pywin32"],
  yaml: ["pyyaml", "types-pyyaml"],
  zmq: ["pyzmq"],
};
