import { describe, expect, it } from "vitest";
import { readFacts } from "../../src/services/index.js";

const COMMIT = "3f2c9d1".padEnd(40, "0");
const read = (files: Record<string, string>, known: string[] = [], language: "en" | "zh" = "en") =>
  readFacts(
    {
      service: "goods-service",
      repository: "acme/goods-service",
      commit: COMMIT,
      files: new Map(Object.entries(files)),
      modules: [],
    },
    { known: known.map((name) => ({ name, document: "", path: "" })), notes: [], language },
  );
const lines = (facts: { text: string; pointer: string }[]) =>
  facts.map(({ text, pointer }) => `${text} · ${pointer}`);

describe("facts of a service", () => {
  it("take names, purpose and owners from manifest, README and CODEOWNERS", () => {
    const facts = read({
      "package.json": '{\n  "name": "@acme/goods",\n  "description": "Issues goods to users"\n}\n',
      "README.md":
        '[![ci](x.svg)](y)\n# 商品服务\n\n  <img src="x">\n![logo](a.png)\n\nIssues **goods** and\nkeeps their stock.\n\n## Start\n',
      ".github/CODEOWNERS": "* @acme/old\n# all\n*  @acme/goods @maya\n/docs @acme/docs\n",
    });
    expect(facts.names).toEqual(["goods", "商品服务"]);
    expect(facts.owners).toEqual(["@acme/goods", "@maya"]);
    expect(lines(facts.sections.position)).toEqual([
      "Issues goods to users · package.json:3",
      "Issues **goods** and keeps their stock. · README.md:7",
    ]);
  });

  it("take no manual and no title for what it is", () => {
    const about = (readme: string) => lines(read({ "README.md": readme }).sections.position);
    expect(
      about("# Goods\n\n## Getting started\n\nRun npm install.\n\n## What it does\n\nIssues goods.\n"),
    ).toEqual(["Issues goods. · README.md:9"]);
    expect(about("Goods\n=====\n\n.. image:: x\n\nRun this:\n\nIssues goods.\n")).toEqual([
      "Issues goods. · README.md:8",
    ]);
    expect(about("# Goods\n\n## Install\n\nx y z\n")).toEqual([]);
  });

  it("name the operations of OpenAPI and proto files, without parameters", () => {
    const facts = read({
      "api/openapi.yaml": [
        "openapi: 3.0.3",
        "paths:",
        "  /goods/{id}:",
        "    parameters: [{ name: id, in: path }]",
        "    get:",
        "      operationId: getGoods",
        "      summary: One of the goods",
        "    delete: {}",
      ].join("\n"),
      "proto/goods.proto": [
        'syntax = "proto3";',
        "service Goods {",
        "  // Hands goods out.",
        "  rpc Issue (IssueRequest) returns (IssueReply) {}",
        "  rpc Revoke(RevokeRequest) returns (stream Ack);",
        "}",
        "message IssueRequest { string user = 1; }",
      ].join("\n"),
    });
    expect(lines(facts.sections.interfaces)).toEqual([
      "GET /goods/{id} getGoods: One of the goods · api/openapi.yaml#getGoods",
      "DELETE /goods/{id} · api/openapi.yaml:8",
      "rpc Goods.Issue: Hands goods out. · proto/goods.proto:4",
      "rpc Goods.Revoke · proto/goods.proto:5",
    ]);
    expect(JSON.stringify(facts)).not.toMatch(/IssueRequest|string user/);
    expect(facts.sections.position.at(-1)?.text).toBe("Offers 4 operations to others");
  });

  it.each([
    [
      "src/app.ts",
      'import express from "express";\nconst app = express();\napp.get("/goods/:id", requireUser, getGoods);\n// app.get("/example", x);\n/*\n  app.get("/example/2", x);\n*/\nuserRouter.post(`/goods`, async (req, res) => {});\nhttp.get("/not-ours");\n',
      ["GET /goods/:id getGoods · src/app.ts:3", "POST /goods · src/app.ts:8"],
    ],
    [
      "src/routes.js",
      'import fastify from "fastify";\nserver.route({\n  method: "GET",\n  url: "/health",\n  handler: health,\n});\n',
      ["GET /health · src/routes.js:2"],
    ],
    [
      "src/goods.controller.ts",
      '@Controller("goods")\nexport class GoodsController {\n  @Get(":id")\n  async one(@Param("id") id: string) {}\n  @Post()\n  add() {}\n}\n',
      ["GET /goods/:id one · src/goods.controller.ts:3", "POST /goods add · src/goods.controller.ts:5"],
    ],
    [
      "app/main.py",
      'from fastapi import APIRouter\nrouter = APIRouter(prefix="/goods")\n\n@router.get("/{id}", response_model=Goods)\n@cached\nasync def get_goods(id: int):\n    ...\n',
      ["GET /goods/{id} get_goods · app/main.py#get_goods"],
    ],
    [
      "app/views.py",
      'from flask import Flask\napp = Flask(__name__)\n@app.route("/goods", methods=["POST"])\ndef add():\n    pass\n',
      ["/goods add · app/views.py#add"],
    ],
    [
      "app/routes.py",
      'from fastapi import APIRouter\n@router.get(\n    "",\n    response_model=Goods,\n)\nasync def list_goods(\n    a: int,\n):\n    ...\n\n@router.post("/x", name="x")\ndef add(): ...\n',
      ["GET / list_goods · app/routes.py#list_goods", "POST /x add · app/routes.py#add"],
    ],
    [
      "main.go",
      'import "github.com/gin-gonic/gin"\nfunc main() {\n\tr.GET("/goods/:id", auth(), h.GetGoods)\n\tv1.POST("/goods", issueGoods)\n\tr.GET("/ping", func(c *gin.Context) {\n\t})\n}\nfunc issueGoods(c *gin.Context) {}\n',
      [
        "GET /goods/:id h.GetGoods · main.go:3",
        "POST /goods issueGoods · main.go#issueGoods",
        "GET /ping · main.go:5",
      ],
    ],
    [
      "cmd/server.go",
      'import "net/http"\nfunc main() {\n\thttp.HandleFunc("GET /goods/{id}", getGoods)\n\tmux.Handle("/metrics", promhttp.Handler())\n}\n',
      ["GET /goods/{id} getGoods · cmd/server.go:3", "/metrics promhttp.Handler · cmd/server.go:4"],
    ],
    [
      "src/main/java/GoodsController.java",
      '@RestController\n@RequestMapping("/goods")\npublic class GoodsController {\n  @GetMapping("/{id}")\n  public Goods one(@PathVariable long id) { }\n  @PostMapping\n  @Audited\n  public ResponseEntity<Goods> add(@RequestBody Goods g) { }\n}\n',
      [
        "GET /goods/{id} one · src/main/java/GoodsController.java:4",
        "POST /goods add · src/main/java/GoodsController.java:6",
      ],
    ],
    [
      "src/main.rs",
      'use axum::Router;\nlet app = Router::new().route("/goods", get(list_goods));\nasync fn list_goods() {}\n',
      ["GET /goods list_goods · src/main.rs#list_goods"],
    ],
  ])("find the routes of %s", (path, text, expected) => {
    expect(lines(read({ [path]: text }).sections.interfaces)).toEqual(expected);
  });

  it("name a route once that a contract names too", () => {
    const facts = read({
      "openapi.yml": "openapi: 3.1.0\npaths:\n  /goods/{id}:\n    get:\n      summary: one\n",
      "app.js": 'require("express");\napp.get("/goods/:goodsId", get);\napp.get("/health", ok);\n',
    });
    expect(lines(facts.sections.interfaces)).toEqual([
      "GET /goods/{id}: one · openapi.yml:4",
      "GET /health ok · app.js:3",
    ]);
  });

  it("name tables with what changed them, and the entities of code, without columns", () => {
    const facts = read({
      "migrations/0001_init.sql":
        "-- create table nothing (x int);\nCREATE TABLE goods (\n  id int primary key,\n  owner int REFERENCES users(id)\n);\ncreate table if not exists `public`.`stock` (n int);\n",
      "migrations/0002.sql":
        "ALTER TABLE goods ADD COLUMN price int;\nalter table only goods drop column x;\n",
      "prisma/schema.prisma": "model Order {\n  id Int @id\n}\n",
      "src/User.java": '@Entity\n@Table(name = "users")\npublic class User {}\n',
      "models.py":
        'class Gift(Base):\n    """Given away."""\n    __tablename__ = "gifts"\n\nclass Card(models.Model):\n    pass\n',
      "alembic/1.py": 'op.create_table(\n    "tills",\n)\n',
      "db.go": 'type Wallet struct {\n\tID int `gorm:"primaryKey"`\n}\ntype Plain struct {\n\tID int\n}\n',
    });
    expect(lines(facts.sections.data)).toEqual([
      "table goods → users (ALTER × 2) · migrations/0001_init.sql:2",
      "table public.stock · migrations/0001_init.sql:6",
      "tills · alembic/1.py#tills",
      "Wallet · db.go#Wallet",
      "Gift → gifts · models.py#Gift",
      "Card · models.py#Card",
      "Order · prisma/schema.prisma#Order",
      "User → users · src/User.java#User",
    ]);
    expect(JSON.stringify(facts)).not.toMatch(/price|primary key/);
  });

  it("name variables and settings, never a value", () => {
    const facts = read({
      ".env.example": "# secrets\nAPI_KEY=sk-live-1234\nexport PORT=8080\n",
      "config/default.yml": "server:\n  port: 1\nfeatures:\n  x: hunter2\n",
      "src/main/resources/application.properties": "spring.datasource.url=jdbc:secret\nlogging.level=info\n",
      "a.ts": "const t = process.env.TIMEOUT ?? process.env['API_KEY'];\n",
      "b.go": 'x := os.Getenv("REGION")\n',
    });
    expect(lines(facts.sections.configuration)).toEqual([
      "API_KEY · .env.example:2",
      "PORT · .env.example:3",
      "TIMEOUT · a.ts:1",
      "REGION · b.go:1",
      "default.yml: server, features · config/default.yml:1",
      "application.properties: spring, logging · src/main/resources/application.properties:1",
    ]);
    expect(JSON.stringify(facts)).not.toMatch(/sk-live|hunter2|jdbc|8080/);
  });

  it("say which services are called, by name, package or address, and which call", () => {
    const facts = readFacts(
      {
        service: "goods-service",
        repository: "acme/goods-service",
        commit: COMMIT,
        modules: [],
        files: new Map([
          [
            "package.json",
            '{\n"name": "@acme/goods",\n"dependencies": {\n"@acme/log": "1.0.0",\n"express": "5"\n}}',
          ],
          [".env.example", "USER_SERVICE_URL=\nRISK_URL=\nDATABASE_URL=\nBASE_URL=\n"],
          ["src/pay.ts", "const client = new WalletServiceClient();\nconst wallet = 1;\n"],
        ]),
      },
      {
        known: [
          { name: "user-service", document: "", path: "" },
          { name: "wallet-service", document: "", path: "" },
          { name: "wallet", document: "", path: "" },
          { name: "mail-service", document: "", path: "" },
          {
            name: "order-service",
            document: "- → goods-service · `src/a.ts:1`\n",
            path: "context/tech/services/order-service.md",
          },
        ],
        notes: [],
        language: "en",
      },
    );
    expect(lines(facts.sections.dependencies)).toEqual([
      "→ user-service · .env.example:1",
      "→ wallet-service · src/pay.ts:1",
      "→ @acme/log · package.json:4",
      "→ RISK_URL · .env.example:2",
      "← order-service · context/tech/services/order-service.md",
    ]);
  });

  it("take pitfalls from comments and the changelog only", () => {
    const facts = read({
      "src/a.ts":
        'const s = "FIXME not a comment";\n// FIXME: the lock is never released\nfix(); /* HACK retries hide it */\n',
      "CHANGELOG.md": "# 2.0\n\n- **BREAKING**: ids are strings\n",
    });
    expect(lines(facts.sections.pitfalls)).toEqual([
      "FIXME: the lock is never released · src/a.ts:2",
      "HACK: retries hide it · src/a.ts:3",
      "BREAKING: ids are strings · CHANGELOG.md:3",
    ]);
  });
});
