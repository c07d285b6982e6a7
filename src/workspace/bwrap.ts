import { lstatSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** Limits of everything in one box. `--as` is not among them: Node reserves more address space than it uses. */
const LIMITS = {
  processes: 1000,
  /** Per process. */
  memoryBytes: 4 * 1024 ** 3,
  fileBytes: 1024 ** 3,
  openFiles: 4096,
  temporaryBytes: 512 * 1024 ** 2,
};
/** Where the checkout is seen in the box: the same path in every run, so that texts and caches repeat. */
const BOX_TREE = "/workspace";
/** Where others are seen that belong to the same work: not in the checkout, whose tools would take their tests and sources for its own. */
const BOX_BESIDE = "/services";
const BOX_HOME = "/home/agent";
const BOX_SOCKET = "/run/proxy.sock";
const BOX_FORWARDER = "/run/forward.mjs";
/** In the box's own network namespace nothing else can take it. */
const PROXY_PORT = 3128;
/** What programs need of the machine's /etc to resolve names, trust certificates and find libraries. */
const ETC = [
  "alternatives",
  "ca-certificates",
  "group",
  "hosts",
  "java",
  // Where Debian keeps the settings of each Java, without which it does not start.
  "java-8-openjdk",
  "java-11-openjdk",
  "java-17-openjdk",
  "java-21-openjdk",
  "java-25-openjdk",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "maven",
  "mime.types",
  "nsswitch.conf",
  "passwd",
  "pki",
  "resolv.conf",
  "ssl",
];

/** What one box is made of. */
export interface BoxPlan {
  tree: string;
  home: string;
  /** Other checkouts that are seen read-only beside it, by name. */
  beside?: ReadonlyMap<string, string>;
  /** The user to become before the box is made, when we are root. */
  dropTo: number | null;
  /** The Node that must work inside. */
  nodePath: string;
  /** The host's ends of the proxy, when some host may be reached. */
  proxy: { socket: string; forwarder: string; hosts: readonly string[] } | null;
  env: Readonly<Record<string, string>>;
  /** A folder below the tree. */
  folder: string;
  command: string;
}

/** The whole command line of a box: first word is the program. */
export function boxCommand(plan: BoxPlan): string[] {
  const dropped = plan.dropTo === null ? [] : dropPrivileges(plan.dropTo);
  const limits = ["prlimit", "--core=0", `--data=${LIMITS.memoryBytes}`, `--fsize=${LIMITS.fileBytes}`];
  const box = ["bwrap", ...namespaces(), ...mounts(plan), ...environment(plan), "--chdir", BOX_TREE];
  return [...dropped, ...limits, `--nofile=${LIMITS.openFiles}`, "--", ...box, "--", ...inside(plan)];
}

// As root, a box is none: /proc/sys stays writable through every namespace.
function dropPrivileges(uid: number): string[] {
  const user = [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"];
  return ["setpriv", ...user, "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--"];
}

function namespaces(): string[] {
  const kinds = ["--unshare-all", "--unshare-user", "--disable-userns"];
  const life = ["--die-with-parent", "--new-session", "--json-status-fd", "3"];
  return [...kinds, ...life, "--hostname", "box"];
}

function mounts(plan: BoxPlan): string[] {
  const system = ["--ro-bind", "/usr", "/usr", ...["bin", "lib", "lib64", "sbin"].flatMap(systemFolder)];
  const kernel = ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"];
  const temporary = [
    "--perms",
    "1777",
    "--size",
    `${LIMITS.temporaryBytes}`,
    "--tmpfs",
    "/tmp",
    "--tmpfs",
    "/run",
  ];
  const etc = ETC.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]);
  const own = ["--bind", plan.home, BOX_HOME, "--bind", plan.tree, BOX_TREE];
  const proxy = plan.proxy
    ? ["--bind", plan.proxy.socket, BOX_SOCKET, "--ro-bind", plan.proxy.forwarder, BOX_FORWARDER]
    : [];
  const beside = [...(plan.beside ?? [])].flatMap(([name, path]) => [
    "--ro-bind",
    path,
    `${BOX_BESIDE}/${name}`,
  ]);
  const node = nodeFolders(plan.nodePath);
  return [...system, ...kernel, ...temporary, ...etc, ...node, ...own, ...beside, ...proxy];
}

/** On most systems a link into /usr, on some a folder of its own. */
function systemFolder(name: string): string[] {
  const path = `/${name}`;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/** Node and what is installed with it, unless /usr has them already; never all of a person's home. */
function nodeFolders(nodePath: string): string[] {
  const prefix = dirname(dirname(nodePath));
  if (prefix === "/" || nodePath.startsWith("/usr/")) return [];
  return [join(prefix, "bin"), join(prefix, "lib/node_modules")].flatMap((path) => [
    "--ro-bind-try",
    path,
    path,
  ]);
}

function environment(plan: BoxPlan): string[] {
  const path = boxPath(BOX_HOME, [dirname(plan.nodePath), "/usr/local/bin", "/usr/bin", "/bin"]);
  const values = {
    ...baseEnvironment(BOX_HOME, path),
    ...(plan.proxy ? proxyEnvironment(plan.proxy.hosts) : {}),
    ...plan.env,
  };
  return ["--clearenv", ...Object.entries(values).flatMap(([name, value]) => ["--setenv", name, value])];
}

/** The PATH of commands: what was set up for this run comes before the machine's own programs. */
export function boxPath(home: string, machine: readonly string[]): string {
  return [...new Set([join(home, "venv/bin"), join(home, ".local/bin"), ...machine])].join(":");
}

/** The variables that every command gets, and no others. */
export function baseEnvironment(home: string, path: string): Record<string, string> {
  // Go's module cache is read-only by default and could then not be removed.
  return { PATH: path, HOME: home, LANG: "C.UTF-8", TERM: "dumb", GOFLAGS: "-modcacherw" };
}

function proxyEnvironment(hosts: readonly string[]): Record<string, string> {
  const url = `http://127.0.0.1:${PROXY_PORT}`;
  const own = ["localhost", "127.0.0.1", "::1"].filter(
    (name) => !hosts.some((host) => host.startsWith(name)),
  );
  const values: Record<string, string> = { npm_config_proxy: url, npm_config_https_proxy: url };
  for (const name of ["http_proxy", "https_proxy"]) values[name] = values[name.toUpperCase()] = url;
  values["no_proxy"] = values["NO_PROXY"] = own.join(",");
  values["YARN_HTTP_PROXY"] = values["YARN_HTTPS_PROXY"] = url;
  return { ...values, NODE_USE_ENV_PROXY: "1" };
}

function inside(plan: BoxPlan): string[] {
  // Counted per user namespace, so inside: outside, our own other processes would count too.
  const limited = ["prlimit", `--nproc=${LIMITS.processes}`, "--"];
  const forward = plan.proxy ? [plan.nodePath, BOX_FORWARDER, BOX_SOCKET, `${PROXY_PORT}`] : [];
  return [...limited, ...forward, ...shell(plan.folder, plan.command)];
}

/** Runs a command line in a folder with both outputs in one stream, in the order they came. */
export function shell(folder: string, command: string): string[] {
  const script =
    'exec 2>&1; cd -- "$1" || exit; if command -v bash >/dev/null; then exec bash -c "$2"; else exec sh -c "$2"; fi';
  return ["sh", "-c", script, "box", folder || ".", command];
}
