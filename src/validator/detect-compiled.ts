import { type Look, tests, types } from "./commands.js";
import type { Command } from "./types.js";

const GO_TESTS = "go test -v";
const CARGO_TESTS = "cargo test --no-fail-fast";

/** Finds the checks of Go, Rust and Java. Java's tools compile before they test, so that it has no check of types of its own. */
export function detectCompiled(look: Look): Command[] {
  return [...detectGo(look), ...detectRust(look), ...detectJava(look)];
}

function detectGo({ has }: Look): Command[] {
  if (!has("go.mod")) return [];
  return [
    types("types (go)", "go vet ./...", ["go"]),
    tests("tests (go)", `${GO_TESTS} ./...`, { start: GO_TESTS, takes: "go-packages" }),
  ];
}

function detectRust({ has }: Look): Command[] {
  if (!has("Cargo.toml")) return [];
  return [
    types("types (rust)", "cargo check --all-targets", ["rust"]),
    tests("tests (rust)", CARGO_TESTS, { start: CARGO_TESTS, takes: "cargo-targets" }),
  ];
}

function detectJava({ has, paths }: Look): Command[] {
  if (has("pom.xml")) {
    const start = `${has("mvnw") ? "sh ./mvnw" : "mvn"} -B -ntp`;
    return [
      tests("tests (maven)", `${start} test`, {
        start: `${start} test -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false`,
        takes: "maven-classes",
      }),
    ];
  }
  const isGradle = paths.some((path) => /^(build|settings)\.gradle(\.kts)?$/.test(path));
  if (!isGradle) return [];
  const start = `${has("gradlew") ? "sh ./gradlew" : "gradle"} --console=plain test`;
  return [tests("tests (gradle)", start, { start, takes: "gradle-classes" })];
}
