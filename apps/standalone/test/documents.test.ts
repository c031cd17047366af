// Tiers: all, long. Starts processes; more of them in a long run.
import { access, readdir, readFile } from "node:fs/promises";
import { settingDefinitions } from "@rowhouse/settings";
import {
  type AppProcess,
  createTestDatabase,
  isLongRun,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Example, examplesOf, patternOf, runExamples, withoutBlanks } from "./run-document.ts";

// Runs the commands of README and docs in bash, against a service that has just started, and compares the output.
const password = "the password that the first start printed";

const root = new URL("../../../", import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), "utf8");

async function expectTrue(examples: readonly Example[], url: string): Promise<void> {
  expect(examples.length).toBeGreaterThan(0);
  const outputs = await runExamples(examples, { BASE: url, PASSWORD: password });
  for (const [index, { commands, shown }] of examples.entries()) {
    const printed = withoutBlanks(outputs[index] ?? "");
    expect(printed, commands).toMatch(patternOf(shown ?? ""));
  }
}

// A start for each page takes long, so only `npm run test:long` runs each alone. The test below has every page.
const isLong = isLongRun();

const pages: [path: string, args: string[], preludes: string[]][] = [
  ["README.md", ["--sample"], []],
  ["docs/tour.md", [], []],
  ["docs/data-api.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/data-api-exports.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/data-api-imports.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/files.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/admin-api.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/admin-api-tables.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/admin-api-resources.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/admin-api-views.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/configuration-as-code.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/authentication.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/openapi.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/own-front-end.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/permissions.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/app-api.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/sql-console.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/mcp.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/workflow-triggers.md", ["--sample"], ["docs/quick-start.md", "docs/workflows.md"]],
  ["docs/coming-from-postgrest.md", ["--sample"], ["docs/quick-start.md"]],
  ["docs/coming-from-hasura.md", ["--sample"], ["docs/quick-start.md"]],
];

describe.runIf(isLong).each(pages)("%s", (path, args, preludes) => {
  let database: TestDatabase;
  let app: AppProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startApp(
      "standalone",
      {
        DATABASE_URL: database.url,
        SYSTEM_DATABASE_URL: database.systemUrl ?? "",
        ROWHOUSE_ADMIN_PASSWORD: password,
      },
      { args },
    );
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  test("every command prints the output that the page shows", async () => {
    const texts = await Promise.all([...preludes, path].map(read));
    await expectTrue(texts.flatMap(examplesOf), app.url);
  });
});

// The order of docs/README.md. The pages share users, roles and tables of the sample.
const pagesInOrder = [
  ...["README.md", "docs/tour.md", "docs/quick-start.md", "docs/data-api.md"],
  ...["docs/data-api-exports.md", "docs/data-api-imports.md", "docs/files.md"],
  ...["docs/authentication.md", "docs/own-front-end.md", "docs/permissions.md"],
  ...["docs/admin-api.md", "docs/admin-api-resources.md", "docs/admin-api-tables.md"],
  ...["docs/admin-api-views.md", "docs/app-api.md", "docs/sql-console.md", "docs/mcp.md"],
  "docs/openapi.md",
  ...["docs/workflows.md", "docs/workflow-triggers.md"],
  ...["docs/coming-from-postgrest.md", "docs/coming-from-hasura.md"],
  // The last one: it adds a column to a table that the others read.
  "docs/configuration-as-code.md",
];

test("all pages, pasted in their order into one installation, print the output that they show", async () => {
  const database = await createTestDatabase();
  const app = await startApp(
    "standalone",
    {
      DATABASE_URL: database.url,
      SYSTEM_DATABASE_URL: database.systemUrl ?? "",
      ROWHOUSE_ADMIN_PASSWORD: password,
    },
    { args: ["--sample"] },
  );
  try {
    const texts = await Promise.all(pagesInOrder.map(read));
    await expectTrue(texts.flatMap(examplesOf), app.url);
  } finally {
    await app.stop();
    await database.drop();
  }
}, 600_000);

test("field() of the pages shows the error of an answer that is one", async () => {
  const definitions = (await Promise.all(["docs/tour.md", "docs/quick-start.md"].map(read))).map(
    (text) => /^field\(\) \{[\s\S]*?^\}/m.exec(text)?.[0] ?? "",
  );
  expect(new Set(definitions).size).toBe(1);
  const answer = { errors: [{ code: "NOT_FOUND", message: "Not found" }] };
  const commands = `${definitions[0]}\necho '${JSON.stringify(answer)}' | field .id`;
  const [printed] = await runExamples([{ commands, shown: undefined }], {});
  expect(printed).toContain("NOT_FOUND");
  expect(printed).not.toContain("undefined");
});

test("every link of the pages has a target, and every file that they name exists", async () => {
  const pages = ["README.md", "CONTRIBUTING.md"];
  for (const name of await readdir(new URL("docs/", root), { recursive: true })) {
    if (name.endsWith(".md")) pages.push(`docs/${name}`);
  }
  for (const page of pages) {
    const text = await read(page);
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(
      ([, link = ""]) => new URL(link, new URL(page, root)),
    );
    const files = [...text.matchAll(/`((?:apps|packages|infra|scripts)\/[\w./-]+)`/g)].map(
      ([, path = ""]) => new URL(path, root),
    );
    for (const target of [...links, ...files]) {
      await expect(access(target), `${page}: ${target.pathname}`).resolves.toBeUndefined();
    }
  }
});

test("the configuration page lists every setting with its default", async () => {
  const rows = [
    ...(await read("docs/configuration.md")).matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| `(.+?)` /gm),
  ];
  expect(Object.fromEntries(rows.map(([, key, value = ""]) => [key, JSON.parse(value)]))).toEqual(
    Object.fromEntries(
      Object.entries(settingDefinitions).map(([key, setting]) => [key, setting.default]),
    ),
  );
});
