import type { Language } from "../shared/index.js";
import type { Tree } from "./types.js";
import { formatEvidence } from "./verify.js";

/** One thing that a manifest says of a repository. */
export interface StackFact {
  kind: "framework" | "database" | "deployment" | "environment" | "check";
  text: string;
  path: string;
}

/** Files that facts are read from, of the repository's root. */
export const MANIFESTS: readonly string[] = [
  "package.json",
  "pyproject.toml",
  "requirements.txt",
  "go.mod",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "Cargo.toml",
  "Gemfile",
  "composer.json",
  "Dockerfile",
  "docker-compose.yml",
  "docker-compose.yaml",
  "compose.yml",
  "compose.yaml",
  ".env.example",
  ".env.sample",
  "Makefile",
  ".gitlab-ci.yml",
  "Jenkinsfile",
];

const FRAMEWORKS =
  /(?<![\w@/-])(express|fastify|@nestjs\/core|next|nuxt|react|vue|svelte|@angular\/core|koa|hono|probot|django|flask|fastapi|gin-gonic\/gin|labstack\/echo|gofiber\/fiber|spring-boot|quarkus|micronaut|actix-web|axum|rocket|rails|sinatra|laravel\/framework|symfony)(?![\w-])/g;
const DATABASES =
  /(?<![\w@/-])(postgres(?:ql)?|pg|psycopg2?|mysql2?|mariadb|sqlite3?|better-sqlite3|mongodb|mongoose|redis|ioredis|kafka(?:js)?|rabbitmq|elasticsearch|clickhouse|sqlalchemy|prisma|typeorm|gorm|diesel|sqlx)(?![\w-])/g;
const NAMES: Readonly<Record<string, string>> = {
  pg: "postgresql",
  postgres: "postgresql",
  psycopg: "postgresql",
  psycopg2: "postgresql",
  mysql2: "mysql",
  ioredis: "redis",
  kafkajs: "kafka",
  mongoose: "mongodb",
  "better-sqlite3": "sqlite",
  sqlite3: "sqlite",
  "@nestjs/core": "nestjs",
  "@angular/core": "angular",
  "gin-gonic/gin": "gin",
  "labstack/echo": "echo",
  "gofiber/fiber": "fiber",
  "laravel/framework": "laravel",
};
const CHECKS = /^(test|tests|lint|check|typecheck|type-check|build|format|fmt|vet)(?::.*)?$/;
const MAX_OF_A_KIND = 12;

/** What manifests say: framework, database, deployment, names of environment variables, checks. Values of variables are not read. */
export function stackFacts(tree: Tree): StackFact[] {
  const facts: StackFact[] = [];
  const add = (kind: StackFact["kind"], text: string, path: string) => {
    const ofKind = facts.filter((fact) => fact.kind === kind);
    if (ofKind.length < MAX_OF_A_KIND && ofKind.every((fact) => fact.text !== text))
      facts.push({ kind, text, path });
  };
  const paths = [...tree.keys()].filter((path) => isManifest(path)).sort();
  for (const path of paths) {
    const whole = tree.get(path) ?? "";
    // Go names a package by its host.
    const text = path === "go.mod" ? whole.replaceAll(/\bgithub\.com\//g, "") : whole;
    if (path.startsWith(".env.")) {
      for (const [, name = ""] of text.matchAll(/^(?:export\s+)?([A-Z][A-Z0-9_]+)\s*=/gm))
        add("environment", name, path);
      continue;
    }
    for (const [name] of text.matchAll(FRAMEWORKS)) add("framework", NAMES[name] ?? name, path);
    for (const [name] of text.matchAll(DATABASES)) add("database", NAMES[name] ?? name, path);
    for (const fact of deployment(path, text)) add("deployment", fact, path);
    for (const check of checks(path, text)) add("check", check, path);
  }
  return facts;
}

/** True for a file that facts are read from. */
export function isManifest(path: string): boolean {
  return MANIFESTS.includes(path) || /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path);
}

function deployment(path: string, text: string): string[] {
  if (path === "Dockerfile") {
    const images = [...text.matchAll(/^FROM\s+(?:--\S+\s+)?(\S+)/gim)].map(
      ([, image = ""]) => `container from ${image}`,
    );
    return images.slice(-1);
  }
  if (/compose\.ya?ml$/.test(path)) {
    const services = /^services:\s*\n((?:[ \t]+.*\n?|\s*\n)*)/m.exec(text)?.[1] ?? "";
    const indent = /^([ \t]+)\S/.exec(services)?.[1] ?? "  ";
    const names = [...services.matchAll(new RegExp(`^${indent}([\\w.-]+):`, "gm"))].map(
      ([, name = ""]) => name,
    );
    return names.length === 0 ? [] : [`compose services ${names.join(", ")}`];
  }
  const [, name] = /^\.github\/workflows\/([^/]+)\.ya?ml$/.exec(path) ?? [];
  if (name !== undefined) return [`GitHub Actions workflow ${name}`];
  return path === "Jenkinsfile" || path === ".gitlab-ci.yml" ? [`pipeline ${path}`] : [];
}

function checks(path: string, text: string): string[] {
  if (path === "Makefile") {
    const targets = [...text.matchAll(/^([A-Za-z][\w-]*):(?!=)/gm)].map(([, target = ""]) => target);
    return targets.filter((target) => CHECKS.test(target)).map((target) => `make ${target}`);
  }
  if (path === "package.json")
    return scriptsIn(text).map((script) => (script === "test" ? "npm test" : `npm run ${script}`));
  if (path === "go.mod") return ["go test ./..."];
  if (path === "Cargo.toml") return ["cargo test"];
  if (path === "pom.xml") return ["mvn test"];
  if (path === "pyproject.toml" && /\bpytest\b/.test(text)) return ["pytest"];
  return path.startsWith("build.gradle") ? ["gradle test"] : [];
}

function scriptsIn(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || !("scripts" in parsed)) return [];
    const { scripts } = parsed;
    return typeof scripts === "object" && scripts !== null
      ? Object.keys(scripts).filter((name) => CHECKS.test(name))
      : [];
  } catch {
    // A manifest that npm could not read either says nothing.
    return [];
  }
}

const TITLES = {
  en: {
    title: "Stack",
    framework: "Framework",
    database: "Data stores",
    deployment: "Deployment",
    environment: "Environment variables",
    check: "Checks",
    evidence: "evidence",
  },
  zh: {
    title: "技术栈",
    framework: "框架",
    database: "数据存储",
    deployment: "部署",
    environment: "环境变量",
    check: "检查命令",
    evidence: "证据",
  },
} as const;
const KINDS = ["framework", "database", "deployment", "environment", "check"] as const;

/** What facts of a kind are called. */
export function factTitle(kind: StackFact["kind"], language: Language): string {
  return TITLES[language][kind];
}

/** The facts as a document with the manifests they rest on; empty without facts. */
export function formatStack(facts: readonly StackFact[], tree: Tree, language: Language): string {
  if (facts.length === 0) return "";
  const titles = TITLES[language];
  const sections = KINDS.flatMap((kind) => {
    const ofKind = facts.filter((fact) => fact.kind === kind);
    if (ofKind.length === 0) return [];
    const lines = ofKind.map(({ text }) => `- \`${text.replaceAll("`", "'")}\``);
    const paths = [...new Set(ofKind.map(({ path }) => path))];
    const evidence = paths.map(
      (path) => `- ${titles.evidence}: ${formatEvidence({ path, symbol: null, text: tree.get(path) ?? "" })}`,
    );
    return [[`## ${titles[kind]}`, "", ...lines, ...evidence].join("\n")];
  });
  return `# ${titles.title}\n\n${sections.join("\n\n")}\n`;
}
