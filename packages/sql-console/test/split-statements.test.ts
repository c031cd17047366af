import { describe, expect, it } from "vitest";
import { splitStatements } from "../src/split-statements.ts";

const textsOf = (sql: string): string[] => splitStatements(sql).map((part) => part.text);

describe("splitStatements", () => {
  it.each([
    ["statements", "select 1; select 2", ["select 1", "select 2"]],
    ["empty statements", ";; select 1 ;\n;", ["select 1 "]],
    ["only comments", "-- one; two\n/* three; */", []],
    ["a text", "select ';'';'; select 2", ["select ';'';'", "select 2"]],
    ["a text with escapes", "select e'\\';'; select 2", ["select e'\\';'", "select 2"]],
    ["a quoted name", 'select 1 as ";"";"; select 2', ['select 1 as ";"";"', "select 2"]],
    ["a dollar-quoted text", "do $a$ begin; $$;$$ end $a$; select 2", 2],
    ["parameters", "select $1; select $2", ["select $1", "select $2"]],
    ["nested comments", "select /* ; /* ; */ ; */ 1; select 2", 2],
    ["parentheses", "create rule r as on insert to t do (a; b); select 2", 2],
    ["an unclosed text", "select 'a; select 2", ["select 'a; select 2"]],
    ["an unclosed comment", "select 1 /* ; select 2", 1],
    ["a function body", "create function f() begin atomic select 1; select 2; end; select 3", 2],
    [
      "a case in a body",
      "create function f() begin atomic select case when a then 1 end; end; x",
      2,
    ],
    ["a transaction", "begin; select 1; end", ["begin", "select 1", "end"]],
  ])("splits no more and no less than the statements of %s", (_, sql, expected) => {
    const texts = textsOf(sql);
    expect(typeof expected === "number" ? texts.length : texts).toEqual(expected);
  });

  it("counts the characters before a statement as PostgreSQL does", () => {
    const parts = splitStatements("select '😀';\n select 2");
    expect(parts.map((part) => part.offset)).toEqual([0, 13]);
  });

  it("lists at most four words of a statement, in upper case", () => {
    const [part] = splitStatements('/* a */ (select distinct "x" from t where b)');
    expect(part?.words).toEqual(["SELECT", "DISTINCT", "FROM", "T"]);
  });
});
