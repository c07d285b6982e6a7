import { describe, expect, test } from "vitest";
import { boundNames } from "../support/bound-names.js";

describe("Kotlin", () => {
  const TREE = {
    "src/acme/Store.kt":
      "package acme\n\nopen class Base {\n  fun close() {}\n}\n\nclass Store : Base() {\n  val cache = Cache()\n  fun save() { load(); close(); cache.put() }\n  fun load() {}\n  companion object {\n    fun make(): Store = Store()\n  }\n}\n",
    "src/acme/Cache.kt":
      "package acme\n\nclass Cache {\n  fun put() {}\n}\n\nfun String.shout(): String = this\nfun topLevel() {}\n",
    "src/app/Main.kt":
      'package app\n\nimport acme.Store\nimport acme.Cache as Box\nimport acme.topLevel\nimport acme.shout\n\nfun main() {\n  val store = Store()\n  store.save()\n  store.close()\n  Store.make()\n  val box: Box = Box()\n  box.put()\n  topLevel()\n  val text: String = "a"\n  text.shout()\n}\n',
  };
  test("imports, aliases, members, inherited ones and a companion's are bound", async () => {
    const names = await boundNames(TREE);
    const at = (name: string, line: number) => names.at("src/app/Main.kt", name, line);
    expect(at("Store", 9)).toBe("src/acme/Store.kt#Store certain");
    expect(at("save", 10)).toBe("src/acme/Store.kt#Store.save likely");
    expect(at("close", 11)).toBe("src/acme/Store.kt#Base.close likely");
    expect(at("make", 12)).toMatch(/^src\/acme\/Store\.kt#Store\..*make likely$/);
    expect(at("put", 14)).toBe("src/acme/Cache.kt#Cache.put likely");
    expect(at("topLevel", 15)).toBe("src/acme/Cache.kt#topLevel certain");
    expect(names.at("src/acme/Store.kt", "load", 9)).toBe("src/acme/Store.kt#Store.load certain");
    expect(names.at("src/acme/Store.kt", "close", 9)).toBe("src/acme/Store.kt#Base.close likely");
    expect(names.at("src/acme/Store.kt", "put", 9)).toBe("src/acme/Cache.kt#Cache.put likely");
    expect(names.implementers("src/acme/Store.kt", "Base")).toEqual(["src/acme/Store.kt#Store certain"]);
  });
  test("an extension function is found by its import", async () => {
    const names = await boundNames(TREE);
    expect(names.at("src/app/Main.kt", "shout", 17)).toMatch(
      /^src\/acme\/Cache\.kt#.*shout (?:certain|likely)$/,
    );
  });
});

describe("PHP", () => {
  const TREE = {
    "src/Store.php":
      "<?php\nnamespace Acme\\Kit;\n\nclass Store extends Base implements Keeper {\n  private Cache $cache;\n  public function save() { $this->load(); $this->close(); self::make(); $this->cache->put(); parent::close(); }\n  public function load() {}\n  public static function make(): Store { return new Store(); }\n}\n",
    "src/Base.php":
      "<?php\nnamespace Acme\\Kit;\n\nclass Base { public function close() {} }\ninterface Keeper { public function save(); }\nfunction help() {}\n",
    "src/Cache.php": "<?php\nnamespace Acme\\Kit;\n\nclass Cache { public function put() {} }\n",
    "app/main.php":
      "<?php\nnamespace App;\n\nuse Acme\\Kit\\Store;\nuse Acme\\Kit\\Cache as Box;\nuse function Acme\\Kit\\help;\n\nfunction run(Store $store) {\n  $store->save();\n  Store::make();\n  $box = new Box();\n  $box->put();\n  help();\n  new \\Acme\\Kit\\Base();\n}\n",
  };
  test("imports, aliases, functions, members and whole names are bound", async () => {
    const names = await boundNames(TREE);
    const at = (name: string, line: number) => names.at("app/main.php", name, line);
    expect(at("save", 9)).toBe("src/Store.php#Store.save likely");
    expect(at("make", 10)).toBe("src/Store.php#Store.make likely");
    expect(at("Box", 11)).toBe("src/Cache.php#Cache certain");
    expect(at("put", 12)).toBe("src/Cache.php#Cache.put likely");
    expect(at("help", 13)).toBe("src/Base.php#help certain");
    expect(at("Base", 14)).toBe("src/Base.php#Base certain");
    const own = (name: string) => names.at("src/Store.php", name, 6);
    expect(own("load")).toBe("src/Store.php#Store.load certain");
    expect(own("make")).toBe("src/Store.php#Store.make certain");
    expect(own("put")).toBe("src/Cache.php#Cache.put likely");
    expect(own("close")).toBe("src/Base.php#Base.close likely");
    expect(names.implementers("src/Base.php", "Keeper")).toEqual(["src/Store.php#Store certain"]);
  });
});

describe("Swift", () => {
  const TREE = {
    "Sources/Kit/Store.swift":
      "protocol Keeper {\n  func save()\n}\n\nclass Base {\n  func close() {}\n}\n\nclass Store: Base, Keeper {\n  let cache = Cache()\n  func save() { load(); close(); self.load(); cache.put() }\n  func load() {}\n  static func make() -> Store { return Store() }\n}\n",
    "Sources/Kit/Cache.swift":
      "struct Cache {\n  func put() {}\n}\n\nextension Store {\n  func extra() { load() }\n}\n",
    "Sources/App/main.swift":
      "import Kit\n\nfunc run(store: Store) {\n  store.save()\n  store.extra()\n  store.close()\n  let made: Store = Store.make()\n  made.load()\n}\n",
  };
  test("members, inherited ones, those of extensions and of what a function gives are bound", async () => {
    const names = await boundNames(TREE);
    const at = (name: string, line: number) => names.at("Sources/App/main.swift", name, line);
    expect(at("Store", 3)).toBe("Sources/Kit/Store.swift#Store likely");
    expect(at("save", 4)).toBe("Sources/Kit/Store.swift#Store.save likely");
    expect(at("extra", 5)).toBe("Sources/Kit/Cache.swift#Store.extra likely");
    expect(at("close", 6)).toBe("Sources/Kit/Store.swift#Base.close likely");
    expect(at("load", 8)).toBe("Sources/Kit/Store.swift#Store.load likely");
    const own = (name: string) => names.at("Sources/Kit/Store.swift", name, 11);
    expect(own("load")).toBe("Sources/Kit/Store.swift#Store.load certain");
    expect(own("close")).toBe("Sources/Kit/Store.swift#Base.close likely");
    expect(own("put")).toBe("Sources/Kit/Cache.swift#Cache.put likely");
    expect(names.at("Sources/Kit/Cache.swift", "load", 6)).toBe("Sources/Kit/Store.swift#Store.load likely");
    expect(names.implementers("Sources/Kit/Store.swift", "Keeper")).toEqual([
      "Sources/Kit/Store.swift#Store certain",
    ]);
  });
});

describe("Scala", () => {
  const TREE = {
    "src/acme/Store.scala":
      "package acme\n\ntrait Keeper {\n  def save(): Unit\n}\n\nclass Base {\n  def close(): Unit = {}\n}\n\nclass Store(cache: Cache) extends Base with Keeper {\n  def save(): Unit = { load(); close(); cache.put() }\n  def load(): Unit = {}\n}\n\nobject Store {\n  def make(): Store = new Store(new Cache)\n}\n",
    "src/acme/Cache.scala": "package acme\n\nclass Cache {\n  def put(): Unit = {}\n}\n",
    "src/app/Main.scala":
      "package app\n\nimport acme.{Store, Cache => Box}\n\nobject Main {\n  def run(store: Store): Unit = {\n    store.save()\n    store.close()\n    Store.make()\n    val box: Box = new Box()\n    box.put()\n  }\n}\n",
  };
  test("imports, renamed ones, members, inherited ones and those of companions are bound", async () => {
    const names = await boundNames(TREE);
    const at = (name: string, line: number) => names.at("src/app/Main.scala", name, line);
    expect(at("save", 7)).toBe("src/acme/Store.scala#Store.save likely");
    expect(at("close", 8)).toBe("src/acme/Store.scala#Base.close likely");
    expect(at("make", 9)).toBe("src/acme/Store.scala#Store.make likely");
    expect(at("Box", 10)).toBe("src/acme/Cache.scala#Cache certain");
    expect(at("put", 11)).toBe("src/acme/Cache.scala#Cache.put likely");
    const own = (name: string) => names.at("src/acme/Store.scala", name, 12);
    expect(own("load")).toBe("src/acme/Store.scala#Store.load certain");
    expect(own("close")).toBe("src/acme/Store.scala#Base.close likely");
    expect(own("put")).toBe("src/acme/Cache.scala#Cache.put likely");
    expect(names.implementers("src/acme/Store.scala", "Keeper")).toEqual([
      "src/acme/Store.scala#Store certain",
    ]);
  });
});

describe("Bash", () => {
  test("a function comes from a file that is sourced, over several steps, and from no other", async () => {
    const names = await boundNames({
      "bin/run.sh":
        '#!/usr/bin/env bash\nsource "$(dirname "$0")/../lib/log.sh"\n. ./local.sh\nmain() {\n  log_info hello\n  local_one\n  other\n  helper\n}\nmain "$@"\n',
      "bin/local.sh": "local_one() { :; }\n",
      "lib/log.sh": "source ./deep.sh\nlog_info() { helper; }\n",
      "lib/deep.sh": "helper() { :; }\n",
      "lib/other.sh": "other() { :; }\n",
    });
    const at = (name: string, line: number) => names.at("bin/run.sh", name, line);
    expect(at("main", 10)).toBe("bin/run.sh#main certain");
    expect(at("local_one", 6)).toBe("bin/local.sh#local_one certain");
    expect(at("other", 7)).toBe("");
    expect(names.at("lib/log.sh", "helper", 2)).toBe("lib/deep.sh#helper certain");
    expect(at("log_info", 5)).toBe("lib/log.sh#log_info certain");
    expect(at("helper", 8)).toBe("lib/deep.sh#helper certain");
  });
});

describe("C", () => {
  test("types, macros, constants of an enumeration and functions come through headers of headers", async () => {
    const names = await boundNames({
      "include/types.h":
        "#ifndef T\n#define T\n#define LIMIT 3\ntypedef struct store { int n; } store_t;\nenum color { RED, BLUE };\n#endif\n",
      "include/store.h": '#include "types.h"\nint store_save(store_t *s);\n',
      "src/store.c": '#include "../include/store.h"\nint store_save(store_t *s) { return s->n + LIMIT; }\n',
      "src/main.c":
        '#include "../include/store.h"\n#include <stdio.h>\nint main(void) {\n  store_t s;\n  s.n = RED;\n  return store_save(&s) + LIMIT;\n}\n',
    });
    const at = (name: string, line: number) => names.at("src/main.c", name, line);
    expect(at("store_save", 6)).toBe("include/store.h#store_save certain, src/store.c#store_save certain");
    expect(at("LIMIT", 6)).toBe("include/types.h#LIMIT certain");
    expect(at("store_t", 4)).toBe("include/types.h#store_t certain");
    expect(at("RED", 5)).toMatch(/^include\/types\.h#color\.RED certain$|^include\/types\.h#RED certain$/);
    expect(names.importers("include/types.h")).toEqual(["include/store.h"]);
  });
});

describe("Ruby", () => {
  test("modules, mixins, inheritance and class methods are bound; a file is found by what it requires", async () => {
    const names = await boundNames({
      "lib/acme/store.rb":
        "require_relative 'base'\n\nmodule Acme\n  class Store < Base\n    include Helping\n    def save\n      load\n      close\n      help\n      self.load\n    end\n\n    def load; end\n\n    def self.make\n      new\n    end\n  end\nend\n",
      "lib/acme/base.rb":
        "module Acme\n  module Helping\n    def help; end\n  end\n\n  class Base\n    def close; end\n  end\nend\n",
      "main.rb": "require 'acme/store'\n\nstore = Acme::Store.new\nstore.save\nAcme::Store.make\n",
    });
    const own = (name: string, line: number) => names.at("lib/acme/store.rb", name, line);
    expect(own("Base", 4)).toBe("lib/acme/base.rb#Acme.Base likely");
    expect(own("load", 7)).toBe("lib/acme/store.rb#Acme.Store.load certain");
    expect(own("close", 8)).toBe("lib/acme/base.rb#Acme.Base.close likely");
    expect(own("help", 9)).toBe("lib/acme/base.rb#Acme.Helping.help likely");
    expect(names.at("main.rb", "Store", 3)).toBe("lib/acme/store.rb#Acme.Store likely");
    expect(names.at("main.rb", "save", 4)).toBe("lib/acme/store.rb#Acme.Store.save likely");
    expect(names.at("main.rb", "make", 5)).toBe("lib/acme/store.rb#Acme.Store.make likely");
    expect(names.imports("main.rb")).toEqual(["lib/acme/store.rb"]);
    expect(names.imports("lib/acme/store.rb")).toEqual(["lib/acme/base.rb"]);
  });
});

describe("names written with the whole package", () => {
  test("in Java lead to the class, and to its members", async () => {
    const names = await boundNames({
      "src/com/acme/Store.java":
        "package com.acme;\n\npublic class Store {\n  public static void make() {}\n  public void save() {}\n}\n",
      "src/app/Main.java":
        "package app;\n\nclass Main {\n  void run() {\n    com.acme.Store store = new com.acme.Store();\n    com.acme.Store.make();\n    store.save();\n  }\n}\n",
    });
    expect(names.at("src/app/Main.java", "Store", 5)).toBe("src/com/acme/Store.java#Store certain");
    expect(names.at("src/app/Main.java", "make", 6)).toBe("src/com/acme/Store.java#Store.make likely");
    expect(names.at("src/app/Main.java", "save", 7)).toBe("src/com/acme/Store.java#Store.save likely");
  });
  test("in C# lead to the class, and to its members", async () => {
    const names = await boundNames({
      "Store.cs":
        "namespace Acme.Kit {\n  public class Store {\n    public static void Make() {}\n    public void Save() {}\n  }\n}\n",
      "Main.cs":
        "class Main {\n  void Run() {\n    Acme.Kit.Store store = new Acme.Kit.Store();\n    Acme.Kit.Store.Make();\n    store.Save();\n  }\n}\n",
    });
    expect(names.at("Main.cs", "Store", 3)).toMatch(/^Store\.cs#(?:Acme\.Kit\.)?Store certain$/);
    expect(names.at("Main.cs", "Make", 4)).toMatch(/Store\.Make likely$/);
    expect(names.at("Main.cs", "Save", 5)).toMatch(/Store\.Save likely$/);
  });
});
