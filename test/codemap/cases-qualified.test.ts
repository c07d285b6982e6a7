import { expect, test } from "vitest";
import { boundNames } from "../support/bound-names.js";

test("a Go type of another package is bound as a parameter, a result, a literal, an embedded field and a variable's type", async () => {
  const names = await boundNames({
    "go.mod": "module m\n",
    "b/b.go": "package b\ntype T struct{ N int }\nfunc (t *T) Do() {}\ntype I interface{ M() }\n",
    "a.go":
      'package a\nimport "m/b"\nfunc f(x b.T, y *b.I) {\n  z := b.T{}\n  x.Do()\n  z.Do()\n}\ntype S struct { b.T }\nvar v []b.I\n',
  });
  for (const line of [3, 4, 8]) expect(names.at("a.go", "T", line)).toBe("b/b.go#T certain");
  for (const line of [3, 9]) expect(names.at("a.go", "I", line)).toBe("b/b.go#I certain");
  expect(names.at("a.go", "Do", 5)).toBe("b/b.go#T.Do likely");
  expect(names.uses("b/b.go", "T")).toEqual(
    expect.arrayContaining(["a.go:3 certain", "a.go:4 certain", "a.go:8 certain"]),
  );
});

test("a Rust path leads into the file of a module that the same file declares", async () => {
  const names = await boundNames({
    "Cargo.toml": '[package]\nname = "m"\n',
    "src/lib.rs":
      "mod b;\nmod inner {\n  pub fn h() {}\n}\nfn f(x: b::T) {\n  b::g();\n  b::T {};\n  inner::h();\n}\nimpl b::R for S {}\nstruct S;\n",
    "src/b.rs": "pub struct T {}\npub fn g() {}\npub trait R {}\n",
  });
  expect(names.at("src/lib.rs", "T", 5)).toBe("src/b.rs#T certain");
  expect(names.at("src/lib.rs", "g", 6)).toBe("src/b.rs#g certain");
  expect(names.at("src/lib.rs", "T", 7)).toBe("src/b.rs#T certain");
  expect(names.at("src/lib.rs", "h", 8)).toMatch(/^src\/lib\.rs#inner\.h /);
  expect(names.at("src/lib.rs", "R", 10)).toBe("src/b.rs#R certain");
});

test("a type that stands in another one or in a namespace is bound in Java, C# and TypeScript", async () => {
  const java = await boundNames({
    "p/B.java": "package p;\npublic class B { public static class T {} }\n",
    "p/A.java": "package p;\nclass A extends B.T {\n  B.T f() { return new B.T(); }\n}\n",
  });
  for (const line of [2, 3]) expect(java.at("p/A.java", "T", line)).toBe("p/B.java#B.T likely");
  const sharp = await boundNames({
    "B.cs": "namespace P;\npublic class B { public class T {} }\n",
    "A.cs": "using P;\nclass A : B.T {\n  B.T F() { return new B.T(); }\n}\n",
  });
  expect(sharp.at("A.cs", "T", 3)).toBe("B.cs#B.T likely");
  const script = await boundNames({
    "b.ts": "export class C {}\nexport namespace N { export interface U {} }\n",
    "a.ts": 'import * as b from "./b.js";\nfunction f(c: b.C, u: b.N.U) {\n  return new b.C();\n}\n',
  });
  for (const line of [2, 3]) expect(script.at("a.ts", "C", line)).toBe("b.ts#C certain");
});

test("a local object of JavaScript that has a module's name is not the module", async () => {
  const names = await boundNames({
    "b.js": "export class C {}\n",
    "a.js": 'import * as b from "./b.js";\nfunction f(b) {\n  return new b.C();\n}\n',
  });
  expect(names.at("a.js", "C", 3)).toBe("");
});
