// Tier: long. One of the slowest; kinds.test.ts is in every run.
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";
import { createImporter } from "./importer.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let importer: ReturnType<typeof createImporter>;
let user: TestUser;
let roleId: string;

interface Forms {
  /** Texts, each with its value in a response. */
  readonly read: readonly (readonly [text: string, value: unknown])[];
  readonly refused: readonly string[];
}

const kinds: Readonly<Record<string, Forms>> = {
  date: {
    read: [
      ["2024-02-01", "2024-02-01"],
      ["0044-03-15 BC", "0044-03-15 BC"],
      ["20240-01-01", "20240-01-01"],
      ["-infinity", "-infinity"],
    ],
    refused: [
      ...["01.02.2024", "03/04/2024", "2024/03/04", "20240304", "24-01-02", "2024-1-2", "today"],
      ...["now", "tomorrow", "yesterday", "epoch", "J2451187", "2024-W05-1", "2024-060"],
      ...[
        "1 Feb 2024",
        "1. Februar 2024",
        "2024-02-01T23:30:00-05:00",
        " 2024-02-01",
        "2024-02-30",
      ],
    ],
  },
  time: {
    read: [
      ["09:30", "09:30:00"],
      ["24:00:00", "24:00:00"],
      ["09:30:00.123456", "09:30:00.123456"],
    ],
    refused: ["allballs", "now", "0930", "9:30", "09:30 PM", "09.30", "09:30:00+02"],
  },
  timetz: {
    read: [
      ["09:30:00+02", "09:30:00+02"],
      ["09:30Z", "09:30:00+00"],
    ],
    refused: ["allballs", "09:30 CET", "09:30", "2024-01-01 09:30 Europe/Berlin"],
  },
  timestamp: {
    read: [
      ["2024-02-01", "2024-02-01T00:00:00"],
      ["2024-02-01T09:30:00Z", "2024-02-01T09:30:00"],
      ["0044-03-15T00:00:00 BC", "0044-03-15T00:00:00 BC"],
    ],
    refused: ["01.02.2024 09:30", "2024-02-01T09:30:00+02:00", "epoch", "now", "2024-02-01 9 PM"],
  },
  timestamptz: {
    read: [
      ["2024-02-01 09:30+02", "2024-02-01T07:30:00+00:00"],
      ["2024-02-01T09:30:00.000001Z", "2024-02-01T09:30:00.000001+00:00"],
      ["infinity", "infinity"],
    ],
    refused: ["01/02/2024", "2024-02-01 09:30 EST", "2024-02-01 09:30 Europe/Berlin", "tomorrow"],
  },
  interval: {
    read: [
      ["P1Y2M3DT4H5M6.7S", "P1Y2M3DT4H5M6.7S"],
      ["P-1DT-0.5S", "P-1DT-0.5S"],
      ["PT0S", "PT0S"],
      ["P2W", "P14D"],
      ["1 year 2 mons -3 days", "P1Y2M-3D"],
      ["1 day 02:00:00", "P1DT2H"],
    ],
    refused: [
      "5",
      "1-2",
      "1d",
      "1m",
      "04:05",
      "P",
      "PT",
      "P1DT",
      "@ 1 day ago",
      "1 2:03",
      "day",
      "",
    ],
  },
  money: {
    read: [
      ["35.01", "35.01"],
      ["-1234.5", "-1234.50"],
      ["7", "7.00"],
    ],
    refused: ["35,01", "$35.01", "1,234.50", "(35.01)", "35 EUR", "NaN", ""],
  },
  boolean: {
    read: [
      ["true", true],
      ["f", false],
    ],
    refused: ["yes", "on", "1", "0", "TRUE", "tr", "off", " true"],
  },
  integer: { read: [["-5", -5]], refused: ["0x1f", "1_000", "1.0", "1,0", " 5"] },
  numeric: {
    read: [
      ["1e2", "100"],
      ["NaN", "NaN"],
      ["-Infinity", "-Infinity"],
    ],
    refused: ["1,5", "1_000.5", "0x1f", "nan", "inf", "1.000,50"],
  },
  "double precision": { read: [["Infinity", "Infinity"]], refused: ["1,5", "inf", "infinity"] },
  date_of_ours: { read: [["2024-02-01", "2024-02-01"]], refused: ["01.02.2024", "today"] },
  "date[]": {
    read: [['{2024-02-01,NULL,"2024-02-02"}', ["2024-02-01", null, "2024-02-02"]]],
    refused: ["{01.02.2024}", '{2024-02-01,"today"}', "{{2024-02-01},{03/04/2024}}"],
  },
  "timestamp[]": {
    read: [["{2024-02-01 09:30}", ["2024-02-01T09:30:00"]]],
    refused: ["{01.02.2024 09:30}", '[0:1]={2024-02-01,"no\\w"}'],
  },
  "money[]": { read: [["{1.50,2}", ["1.50", "2.00"]]], refused: ['{"35,01"}', "{$1}"] },
  "integer[]": {
    read: [['{-1,NULL,"2"}', [-1, null, 2]]],
    refused: ["{0x1f}", "{1_000}", '{{1},{"0b1"}}', "{1.5}"],
  },
  "numeric[]": { read: [["{1e2,NaN}", ["100", "NaN"]]], refused: ["{1_0}", '{"1,5"}', "{inf}"] },
  int8range: { read: [["[1,5)", "[1,5)"]], refused: ["[0x1,5)", "[1_0,)", '["0o7",)'] },
  nummultirange: { read: [["{[1.5,2)}", "{[1.5,2)}"]], refused: ["{[1.5,2),[1_0,)}"] },
  "int4range[]": { read: [['{"[1,5)"}', ["[1,5)"]]], refused: ['{"[1_0,50)"}'] },
  daterange: {
    read: [
      ["[2024-02-01,2024-03-01)", "[2024-02-01,2024-03-01)"],
      ["empty", "empty"],
      ['["2024-02-01",)', "[2024-02-01,)"],
    ],
    refused: ["[01.02.2024,)", "[2024-02-01,today)", '["03/04/2024",)', "[now,)"],
  },
  datemultirange: {
    read: [["{[2024-02-01,2024-03-01),[2025-01-01,)}", "{[2024-02-01,2024-03-01),[2025-01-01,)}"]],
    refused: ["{[2024-02-01,2024-03-01),[01.01.2025,)}"],
  },
  "daterange[]": { read: [], refused: ['{"[2024-02-01,today)"}'] },
  point: { read: [["(1.5,2)", "(1.5,2)"]], refused: ["1,5", "1,5,2", "(1;2)"] },
  box: { read: [["(1,1),(0,0)", "(1,1),(0,0)"]], refused: ["1,1,0,0"] },
  circle: { read: [["<(0,0),1>", "<(0,0),1>"]], refused: ["0,0,1", "((0,0),1)"] },
};
const entries = Object.entries(kinds);
const nameOf = (kind: string): string => `c${Object.keys(kinds).indexOf(kind)}`;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  importer = createImporter(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query("create domain date_of_ours as date");
  const columns = Object.keys(kinds).map((kind) => `${nameOf(kind)} ${kind}`);
  await test.database.query(
    `create table forms (id int generated by default as identity primary key, note text, ${columns.join(", ")})`,
  );
  await expose(test.database, "public", "forms", "GET", "POST", "PATCH");
  for (const action of ["READ", "CREATE", "UPDATE"] as const) {
    await grant(test.database, client.snapshots, roleId, "public/forms", { action });
  }
});
afterAll(() => test.drop());

/** Types that `_eq` does not compare by their value. */
const withoutFilter: ReadonlySet<string> = new Set(["box", "circle", "point"]);

const csvCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

describe("the form of a value", () => {
  it.each(entries)(
    "a documented form is read in a body, a file and a filter, and each response can be sent back: %s",
    async (kind, { read }) => {
      const name = nameOf(kind);
      for (const [text, value] of read) {
        const made = await client.create(user, "public/forms", { [name]: text });
        expect([text, made.body]).toMatchObject([text, { data: { [name]: value } }]);
        const back = await client.create(user, "public/forms", { [name]: value });
        expect(back.body).toMatchObject({ data: { [name]: value } });
        const file = await importer.csv(user, "public/forms", `${name}\n${csvCell(text)}\n`);
        expect([text, file.status]).toEqual([text, 201]);
        if (withoutFilter.has(kind)) continue;
        const where = encodeURIComponent(JSON.stringify({ [name]: { _eq: text } }));
        const found = await client.list(user, "public/forms", `where=${where}&aggregate=count`);
        expect([text, found.body]).not.toMatchObject([text, { data: [{ count: "0" }] }]);
        expect([text, found.status]).toEqual([text, 200]);
      }
    },
  );

  it.each(entries)("any other form is a VALUE_INVALID with its place: %s", async (kind, forms) => {
    const name = nameOf(kind);
    const faultOf = (answer: { status: number; body: unknown }) => {
      const [first] = (answer.body as { errors?: { code: string; path: string }[] }).errors ?? [];
      return `${answer.status} ${first?.code} ${first?.path}`;
    };
    for (const [at, text] of forms.refused.entries()) {
      const row = { [name]: text };
      const answers = {
        [`/data/${name}`]: [
          await client.create(user, "public/forms", row),
          await client.update(user, "public/forms", "1", row),
        ],
        [`/data/1/${name}`]: [await client.create(user, "public/forms", [{ [name]: null }, row])],
        // The reader of a file is that of a body.
        [`/0/${name}`]:
          at > 1
            ? []
            : [
                await importer.csv(user, "public/forms", `id,${name}\n1,${csvCell(text)}\n`),
                await importer.ndjson(user, "public/forms", JSON.stringify(row)),
              ],
      };
      for (const [path, list] of Object.entries(answers)) {
        const wanted = `${text}: 400 VALUE_INVALID ${path}`;
        for (const answer of list) expect(`${text}: ${faultOf(answer)}`).toBe(wanted);
      }
      if (withoutFilter.has(kind)) continue;
      const where = `where=${encodeURIComponent(JSON.stringify({ [name]: { _eq: text } }))}`;
      const found = faultOf(await client.list(user, "public/forms", where));
      expect(`${text}: ${found}`).toContain(`${text}: 400 VALUE_INVALID where`);
    }
  });

  it("a preset of a grant and an element of a list have the same forms", async () => {
    const name = nameOf("date[]");
    const list = await client.create(user, "public/forms", { [name]: ["2024-02-01", "today"] });
    expect(list).toMatchObject({ status: 400, body: { errors: [{ code: "VALUE_INVALID" }] } });
    const presets = { [nameOf("date")]: "01.02.2024", [nameOf("money")]: "35,01" };
    const stored = grant(test.database, client.snapshots, roleId, "public/forms", {
      ...{ action: "CREATE", presets },
    });
    await expect(stored).rejects.toMatchObject({
      faults: Object.keys(presets).map((column) => ({
        ...{ code: "VALUE_INVALID", path: `/data/presets/${column}` },
      })),
    });
  });
});

describe("the form of a file", () => {
  const [date, moment, amount, price] = [
    nameOf("date"),
    nameOf("timestamp"),
    nameOf("numeric"),
    nameOf("money"),
  ];
  const columns = [date, moment, amount, price].map((name) => `${name}::text`).join(", ");
  const imported = async (query: string, file: string | Uint8Array) => {
    await test.database.query("truncate forms");
    const { status, body } = await importer.csv(user, "public/forms", file, { query });
    const { errors } = body as { errors?: { code: string; path: string }[] };
    if (errors !== undefined) {
      return `${status} ${errors.map(({ code, path }) => `${code} ${path}`).join()}`;
    }
    const rows = await test.database.query<Record<string, string>>(
      `select ${columns} from forms order by id`,
    );
    return rows.map((row) => Object.values(row).map((value) => value ?? ""));
  };
  const header = [date, moment, amount, price].join(";");

  it("an import reads dates, decimals and cells as its parameters name them", async () => {
    const file = `${header}\n01.02.2024;1.12.2024 09:30;1234,5;35,01\n29.02.2024;03.04.2024;-7;\n`;
    const query = "delimiter=;&decimal=comma&date_format=dd.mm.yyyy%20hh:mi";
    expect(await imported(query, file)).toEqual([
      ["2024-02-01", "2024-12-01 09:30:00", "1234.5", "$35.01"],
      ["2024-02-29", "2024-04-03 00:00:00", "-7", ""],
    ]);
    const american = `${date},${moment}\n03/04/2024,03/04/2024 09:30:05\n`;
    expect(await imported("date_format=mm/dd/yyyy", american)).toEqual([
      ["2024-03-04", "2024-03-04 09:30:05", "", ""],
    ]);
    for (const [name, sign] of Object.entries({ tab: "\t", pipe: "|" })) {
      const cells = `${date}${sign}${amount}\n20240229${sign}"1,5"\n`;
      expect(await imported(`delimiter=${name}&decimal=comma&date_format=yyyymmdd`, cells)).toEqual(
        [["2024-02-29", "", "1.5", ""]],
      );
    }
  });

  it("a cell in another form than the file's is a fault, as it is without the parameters", async () => {
    const cases: Readonly<Record<string, readonly [query: string, name: string, cell: string]>> = {
      "a dot beside decimal commas": ["decimal=comma", amount, '"1.234,50"'],
      "a number with a dot": ["decimal=comma", price, "1.5"],
      "a date of ISO 8601": ["date_format=dd.mm.yyyy", date, "2024-02-01"],
      "a year of two digits": ["date_format=dd.mm.yyyy", date, "01.02.24"],
      "a month 13": ["date_format=mm/dd/yyyy", date, "13/01/2024"],
      "a time in a date": ["date_format=dd.mm.yyyy%20hh:mi", date, "01.02.2024 09:30"],
      "a time that the format has not": [
        "date_format=dd.mm.yyyy%20hh:mi",
        moment,
        "01.02.2024 9:3",
      ],
      "no format": ["", date, "01.02.2024"],
    };
    for (const [what, [query, name, cell]] of Object.entries(cases)) {
      const answer = await imported(query, `${name}\n${cell}\n`);
      expect([what, answer]).toEqual([what, `400 VALUE_INVALID /0/${name}`]);
    }
  });

  it("an unknown form is a fault of its parameter, and none applies to NDJSON", async () => {
    const refused = [
      ...[
        "date_format=dd.mm.yy",
        "date_format=dd.dd.yyyy",
        "date_format=DD.MM.YYYY",
        "date_format=",
      ],
      ...["date_format=hh:mi", "date_format=dd.mm.yyyyhh:mi", "date_format=dd.mm.yyyy%20mi:hh"],
      ...["decimal=,", "delimiter=x", "delimiter=", "encoding=latin1", "encoding=UTF-8"],
      `date_format=${"(a%2B)%2B".repeat(100_000)}`,
    ];
    for (const query of refused) {
      const path = query.slice(0, query.indexOf("="));
      expect([query.slice(0, 60), await imported(query, `${date}\n`)]).toEqual([
        query.slice(0, 60),
        `400 QUERY_INVALID ${path}`,
      ]);
    }
    const lines = await importer.ndjson(user, "public/forms", "{}", { query: "decimal=dot" });
    expect(lines).toMatchObject({ status: 400, body: { errors: [{ path: "decimal" }] } });
  });

  it("an import decodes the encoding that it names, in parts of any length, and no other", async () => {
    const text = `note\n"Köln, € 5"\n`;
    const little = Buffer.from(`\ufeff${text}`, "utf16le");
    const files: readonly (readonly [string, Buffer])[] = [
      ["windows-1252", Buffer.from(text.replace("€", "\u0080"), "latin1")],
      ["iso-8859-1", Buffer.from(text.replace("€ ", ""), "latin1")],
      ["utf-16", little],
      ["utf-16", Buffer.from(little).swap16()],
      ["utf-8", Buffer.from(text)],
    ];
    for (const [encoding, bytes] of files) {
      await test.database.query("truncate forms");
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
      const answer = await importer.stream(user, "public/forms", body, {
        query: `encoding=${encoding}`,
      });
      expect([encoding, answer.status]).toEqual([encoding, 201]);
      const [row] = await test.database.query<{ note: string }>("select note from forms");
      expect(row?.note.startsWith("Köln, ")).toBe(true);
    }
    const wrong = await importer.csv(user, "public/forms", new Uint8Array(files[0]?.[1] ?? []));
    expect(wrong).toMatchObject({ body: { errors: [{ message: "The body is not UTF-8 text" }] } });
  });
});
