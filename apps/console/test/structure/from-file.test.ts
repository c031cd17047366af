import { describe, expect, it } from "vitest";
import { readSource } from "../../src/records/files/read-source.ts";
import {
  mappingOf,
  proposeTable,
  sqlName,
  sqlNames,
} from "../../src/structure/from-file/propose-table.ts";
import { readProfile } from "../../src/structure/from-file/read-profile.ts";

const signal = new AbortController().signal;

async function propose(text: string, name = "Offene Aufträge.csv") {
  const source = await readSource(new File([text], name));
  return proposeTable(await readProfile(source, () => {}, signal));
}

/** The type of a column with some values. */
async function typeOf(...values: string[]): Promise<string | undefined> {
  const lines = values.map((value, index) => `${index},${value}`);
  const { draft } = await propose(["id,value", ...lines].join("\n"));
  return draft.added.find(({ name }) => name === "value")?.dataType;
}

describe("a table from a file", () => {
  it("has the most special type that all values of a column fit", async () => {
    expect(await typeOf("1", "-20", "0")).toBe("bigint");
    expect(await typeOf("1", "12.50")).toBe("numeric");
    expect(await typeOf("9".repeat(30))).toBe("numeric");
    expect(await typeOf("true", "false", "")).toBe("boolean");
    expect(await typeOf("2026-01-31", "1999-12-01")).toBe("date");
    expect(await typeOf("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.5+02:00")).toBe("timestamptz");
    expect(await typeOf("2026-01-31T12:00:00")).toBe("timestamp");
    expect(await typeOf("23:59", "07:00:30")).toBe("time");
    expect(await typeOf("0c5f7b1e-0000-4000-8000-00000000000a")).toBe("uuid");
    expect(await typeOf('"{""a"": [1]}"', "[]")).toBe("jsonb");
  });

  it("keeps as text what another type would change or refuse", async () => {
    expect(await typeOf("007", "123")).toBe("text");
    expect(await typeOf("1.5", "1 000")).toBe("text");
    expect(await typeOf("2026-13-01")).toBe("text");
    expect(await typeOf("31.01.2026")).toBe("text");
    expect(await typeOf("1", '""')).toBe("text");
    expect(await typeOf("", "")).toBe("text");
    expect(await typeOf("=1+1")).toBe("text");
    expect(await typeOf("yes", "no")).toBe("text");
  });

  it("has the key that a name and the values suggest, and a generated one otherwise", async () => {
    const keysOf = async (text: string) =>
      (await propose(text)).draft.added
        .filter(({ isKey }) => isKey)
        .map(({ name, isIdentity }) => `${name}${isIdentity ? " generated" : ""}`);
    expect(await keysOf("name,Code\nA,x\nA,y\n")).toEqual(["code"]);
    expect(await keysOf("number of it,trip_id\n1,7\n1,8\n")).toEqual(["trip_id"]);
    expect(await keysOf("id,name\n1,a\n1,b\n")).toEqual(["row_id generated"]);
    expect(await keysOf("name,age\na,1\nb,2\n")).toEqual(["id generated"]);
    expect(await keysOf("id,name\n1,a\n,b\n")).toEqual(["row_id generated"]);
  });

  it("requires columns that are full, and lists the values of columns that have few", async () => {
    const rows = Array.from(
      { length: 30 },
      (_none, index) => `${index},${["open", "it's done"][index % 2]},${index === 3 ? "" : "x"}`,
    );
    const { draft, profile } = await propose(["id,State,note", ...rows].join("\r\n"));
    expect(profile.rows).toBe(30);
    expect(draft.name).toBe("offene_auftrage");
    expect(draft.added.map(({ name, isRequired, check }) => [name, isRequired, check])).toEqual([
      ["id", true, ""],
      ["state", true, `"state" in ('it''s done', 'open')`],
      ["note", false, ""],
    ]);
  });

  it("maps the names of a mended file to the columns of the draft, and none to what was removed", async () => {
    const proposal = await propose("id,First,First,Last\n1,a,b,c\n");
    const { source } = proposal.profile;
    expect(mappingOf(source, proposal, proposal.draft)).toEqual([
      ...["id", "first", "first_2", "last"],
    ]);
    const [id, first, second, last] = proposal.draft.added;
    if (id === undefined || first === undefined || second === undefined || last === undefined) {
      throw new Error("The proposal lacks columns");
    }
    const added = [{ ...id, isIdentity: true }, { ...first, name: "given" }, last];
    const edited = { ...proposal.draft, added };
    expect(mappingOf(source, proposal, edited)).toEqual([null, "given", null, "last"]);
    const mended = await readSource(new File(["Last,id\nc,1\n"], "mended.csv"));
    expect(mappingOf(mended, proposal, edited)).toEqual(["last", null]);
  });
});

describe("names for SQL", () => {
  it("are lower case, without accents and signs, short enough, and each once", () => {
    expect(sqlName(" Größe (m²) ")).toBe("grosse_m2");
    expect(sqlName("unitPriceEUR")).toBe("unit_price_eur");
    expect(sqlName("2026 total")).toBe("_2026_total");
    expect(sqlName("جدول")).toBe("جدول");
    expect(sqlNames(["A", "a", "", "--", "a_2"])).toEqual([
      "a",
      "a_2",
      "column_3",
      "column_4",
      "a_2_2",
    ]);
    const [long, longToo] = sqlNames(["é".repeat(80), "ж".repeat(80)]);
    expect(long).toBe("e".repeat(63));
    expect(longToo).toBe("ж".repeat(31));
    const [, second] = sqlNames(["ж".repeat(80), "ж".repeat(80)]);
    expect(second).toBe(`${"ж".repeat(30)}_2`);
  });
});
