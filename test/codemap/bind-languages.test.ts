import { describe, expect, test } from "vitest";
import { boundNames } from "../support/bound-names.js";

describe("Python", () => {
  const TREE = {
    "pkg/__init__.py": "from .store import Store\n",
    "pkg/store.py":
      "from .base import Base\n\n\nclass Store(Base):\n    def save(self):\n        self.load()\n        self.close()\n        super().close()\n\n    def load(self): ...\n",
    "pkg/base.py": "class Base:\n    def close(self): ...\n\n\ndef join(): ...\n",
    "pkg/logging.py": "def debug(): ...\n",
    "app.py":
      'import logging\nimport pkg.store as ps\nfrom pkg import Store, base\n\n\ndef run(store: Store):\n    store.save()\n    base.join()\n    ", ".join([])\n    logging.debug()\n    ps.Store()\n',
  };

  test("CM-15 a text's join is not the project's join", async () => {
    const names = await boundNames(TREE);
    expect(names.at("app.py", "join", 8)).toBe("pkg/base.py#join certain");
    expect(names.at("app.py", "join", 9)).toBe("");
  });

  test("names pass through __init__, and submodules and aliases are followed", async () => {
    const names = await boundNames(TREE);
    expect(names.at("app.py", "Store", 6)).toBe("pkg/store.py#Store certain");
    expect(names.at("app.py", "Store", 11)).toBe("pkg/store.py#Store certain");
    expect(names.at("app.py", "save", 7)).toBe("pkg/store.py#Store.save likely");
    expect(names.imports("pkg/__init__.py")).toEqual(["pkg/store.py"]);
  });

  test("a package's module is no top-level module", async () => {
    const names = await boundNames(TREE);
    expect(names.at("app.py", "debug", 10)).toBe("");
    expect(names.imports("app.py")).not.toContain("pkg/logging.py");
  });

  test("self and super have what their class has and inherits", async () => {
    const names = await boundNames(TREE);
    expect(names.at("pkg/store.py", "load", 6)).toBe("pkg/store.py#Store.load certain");
    expect(names.at("pkg/store.py", "close", 7)).toBe("pkg/base.py#Base.close likely");
    expect(names.at("pkg/store.py", "close", 8)).toBe("pkg/base.py#Base.close likely");
  });
});

describe("Go", () => {
  const TREE = {
    "go.mod": "module example.com/acme\n",
    "store/store.go":
      "package store\n\ntype Base struct{}\n\nfunc (b *Base) Close() {}\n\ntype Store struct {\n\tBase\n}\n\nfunc New() *Store { return helper() }\n\nfunc (s *Store) Save() {\n\ts.Load()\n\ts.Close()\n}\n",
    "store/load.go": "package store\n\nfunc (s *Store) Load() {}\n\nfunc helper() *Store { return nil }\n",
    "store/store_test.go": "package store\n\nfunc only() { helper() }\n",
    "main.go":
      'package main\n\nimport (\n\t"fmt"\n\t"example.com/acme/store"\n)\n\nfunc helper() {}\n\nfunc main() {\n\tstore.New()\n\thelper()\n\tfmt.Println()\n\tonly()\n}\n',
  };

  test("files of a package share their names, also methods of a type in another file", async () => {
    const names = await boundNames(TREE);
    expect(names.at("store/store.go", "helper", 11)).toBe("store/load.go#helper certain");
    expect(names.at("store/store.go", "Load", 14)).toContain("store/load.go#Store.Load");
    expect(names.at("store/store.go", "Close", 15)).toContain("store/store.go#Base.Close");
  });

  test("CM-13 a package's own function comes before another package's, and a test's is seen by tests only", async () => {
    const names = await boundNames(TREE);
    expect(names.at("main.go", "helper", 12)).toBe("main.go#helper certain");
    expect(names.at("main.go", "only", 14)).toBe("");
    expect(names.at("store/store_test.go", "helper", 3)).toBe("store/load.go#helper certain");
  });

  test("an import leads to the module's folder, not to one from outside", async () => {
    const names = await boundNames(TREE);
    expect(names.at("main.go", "New", 11)).toBe("store/store.go#New certain");
    expect(names.at("main.go", "Println", 13)).toBe("");
    expect(names.imports("main.go")).toEqual(["store/load.go", "store/store.go"]);
  });
});

describe("Java", () => {
  const TREE = {
    "src/com/acme/Store.java":
      "package com.acme;\n\npublic class Store extends Base {\n  private Store next;\n  public void save() { load(); next.save(); helper(); }\n  void load() {}\n  public static Store make() { return new Store(); }\n}\n",
    "src/com/acme/Base.java": "package com.acme;\n\nclass Base {\n  void helper() {}\n}\n",
    "src/com/other/Main.java":
      "package com.other;\n\nimport com.acme.Store;\nimport static com.acme.Store.make;\n\nclass Main {\n  void run(Store store, String text) {\n    store.save();\n    text.save();\n    Store.make();\n    make();\n    new Base();\n  }\n}\n",
  };

  test("files of a package see each other, and no others without an import", async () => {
    const names = await boundNames(TREE);
    expect(names.at("src/com/acme/Store.java", "Base", 3)).toBe("src/com/acme/Base.java#Base certain");
    expect(names.at("src/com/other/Main.java", "Base", 12)).toBe("");
  });

  test("a bare name may be a member, own or inherited", async () => {
    const names = await boundNames(TREE);
    expect(names.at("src/com/acme/Store.java", "load", 5)).toBe("src/com/acme/Store.java#Store.load certain");
    expect(names.at("src/com/acme/Store.java", "helper", 5)).toBe(
      "src/com/acme/Base.java#Base.helper likely",
    );
  });

  test("imports bring in types and, static ones, their members; a text has no save", async () => {
    const names = await boundNames(TREE);
    expect(names.at("src/com/other/Main.java", "save", 8)).toBe("src/com/acme/Store.java#Store.save likely");
    expect(names.at("src/com/other/Main.java", "save", 9)).toBe("");
    expect(names.at("src/com/other/Main.java", "make", 10)).toBe("src/com/acme/Store.java#Store.make likely");
    expect(names.at("src/com/other/Main.java", "make", 11)).toBe(
      "src/com/acme/Store.java#Store.make certain",
    );
  });
});

describe("Rust", () => {
  const TREE = {
    "Cargo.toml": '[package]\nname = "acme-kit"\n',
    "src/lib.rs": "pub mod store;\nmod util;\npub use store::Store as Shop;\n",
    "src/util.rs": "pub fn help() {}\n",
    "src/store.rs":
      "use crate::util;\nuse super::util::help;\n\npub struct Store {}\n\nimpl Store {\n    pub fn new() -> Self { help(); Store {} }\n    pub fn save(&self) { self.load(); util::help(); crate::util::help(); }\n    fn load(&self) {}\n}\n",
    "src/main.rs": "use acme_kit::Shop;\n\nfn help() {}\n\nfn main() {\n    help();\n    Shop::new();\n}\n",
  };

  test("paths lead through modules, from the crate, from around and from within", async () => {
    const names = await boundNames(TREE);
    expect(names.at("src/store.rs", "help", 7)).toBe("src/util.rs#help certain");
    expect(names.at("src/store.rs", "help", 8)).toBe("src/util.rs#help certain");
    expect(names.at("src/store.rs", "load", 8)).toBe("src/store.rs#Store.load certain");
  });

  test("CM-13 a file's own function comes before another module's, and a crate is found by its name", async () => {
    const names = await boundNames(TREE);
    expect(names.at("src/main.rs", "help", 6)).toBe("src/main.rs#help certain");
    expect(names.at("src/main.rs", "new", 7)).toBe("src/store.rs#Store.new likely");
    expect(names.imports("src/lib.rs")).toEqual(["src/store.rs", "src/util.rs"]);
  });
});

describe("C, Ruby and C#", () => {
  test("a C name comes from an included header and its implementation, never from another file's static", async () => {
    const names = await boundNames({
      "src/store.h": "int save(int x);\n",
      "src/store.c":
        '#include "store.h"\nstatic int helper(void) { return 1; }\nint save(int x) { return helper(); }\n',
      "src/main.c": '#include "store.h"\nint main(void) { return save(1) + helper(); }\n',
      "src/other.c": "int save(int x) { return x; }\n",
    });
    expect(names.at("src/main.c", "save", 2)).toBe("src/store.c#save certain, src/store.h#save certain");
    expect(names.at("src/main.c", "helper", 2)).toBe("");
    expect(names.at("src/store.c", "helper", 3)).toBe("src/store.c#helper certain");
  });

  test("a Ruby constant is found everywhere, and so is no more than likely", async () => {
    const names = await boundNames({
      "lib/store.rb": "class Store\n  def save\n    self.load\n  end\n\n  def load; end\nend\n",
      "main.rb": "Store.new\nOther.new\n",
    });
    expect(names.at("lib/store.rb", "load", 3)).toBe("lib/store.rb#Store.load certain");
    expect(names.at("main.rb", "Store", 1)).toBe("lib/store.rb#Store likely");
    expect(names.at("main.rb", "Other", 2)).toBe("");
  });

  test("a C# file sees its own namespace and those that it opens", async () => {
    const tree = {
      "Store.cs":
        "namespace Acme.Kit;\n\npublic class Store : Base {\n  public void Save() { Close(); }\n}\n",
      "Base.cs": "namespace Acme.Kit;\n\npublic class Base { protected void Close() {} }\n",
      "Main.cs": "using Acme.Kit;\n\nclass Main {\n  void Run(Store store) { store.Save(); }\n}\n",
      "Out.cs": "class Out {\n  void Run(Store store) {}\n}\n",
    };
    const names = await boundNames(tree);
    expect(names.at("Main.cs", "Save", 4)).toBe("Store.cs#Store.Save likely");
    expect(names.at("Store.cs", "Close", 4)).toBe("Base.cs#Base.Close likely");
    expect(names.at("Out.cs", "Store", 2)).toBe("");
  });
});
