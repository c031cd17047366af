import { exactNumberText, writeExactJson } from "@rowhouse/wire";
import { describe, expect, test } from "vitest";
import { parseJson, parseQueryStrict, readJsonBody, requireData } from "../src/index.ts";

const request = (
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string> = {},
) =>
  new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json", ...headers },
    duplex: "half",
  } as RequestInit);

const failure = async (work: () => unknown) => {
  try {
    await work();
  } catch (error) {
    const { faults } = error as { faults: { code: string; path?: string }[] };
    return faults.map((fault) => [fault.code, fault.path]);
  }
  return "no error";
};

describe("numbers", () => {
  test.each([
    "9007199254740993",
    "1.50",
    "1e400",
    "-0",
    "123456789012345678901234567890123456789012345678901234567890",
    "0.10",
  ])("the JSON number %s keeps its digits", (digits) => {
    const value = parseJson(`{"a":[${digits}]}`) as { a: [unknown] };
    expect(exactNumberText(value.a[0])).toBe(digits);
  });
  test("a number that a double represents is a JavaScript number, even beside exact ones", () => {
    expect(parseJson("[0,-1,999999999999999]")).toEqual([0, -1, 999999999999999]);
    const mixed = parseJson("[0,12,1.50]") as unknown[];
    expect(mixed.slice(0, 2)).toEqual([0, 12]);
  });
  test("digits within a text stay text", () => {
    expect(parseJson('{"a":"9007199254740993.50 \\" 1e5"}')).toEqual({
      a: '9007199254740993.50 " 1e5',
    });
  });
});

describe("a field that accepts any text", () => {
  const options = { anyTextIn: ["email"] };
  test("text that PostgreSQL cannot store is accepted in a field that accepts any text", () => {
    const text = '{"email":"a\\u0000\\ud800","more":1.50}';
    expect(parseJson(text, options)).toMatchObject({ email: "a\u0000\ud800" });
  });
  test.each([
    ["another field", '{"email":"","more":"\\u0000"}', "/more"],
    ["a field within another", '{"more":{"email":"\\u0000"}}', "/more/email"],
    ["a list in its place", '{"email":["\\u0000"]}', "/email/0"],
    ["a key that occurs twice", '{"email":"a","email":"b"}', "/email"],
  ])("a field that accepts any text does not permit %s", async (_, text, path) => {
    expect(await failure(() => parseJson(text, options))).toEqual([["BODY_INVALID", path]]);
  });
});

describe("bodies rejected as BODY_INVALID", () => {
  test.each([
    ["not JSON", "{", undefined],
    ["nothing", "", undefined],
    ["a second value", "{}{}", undefined],
    ["NUL", '{"data":{"a/b":"x\\u0000"}}', "/data/a~1b"],
    ["a lone surrogate", '{"data":["ok","\\ud800"]}', "/data/1"],
    ["NUL in a key", '{"data":{"\\u0000":1}}', "/data/\u0000"],
    ["a repeated key", '{"a":1,"b":[1,{"c":1,"\\u0063":2}]}', "/b/1/c"],
    ["a repeated key with one value", '{"n":1.50,"a":1,"a":1}', "/a"],
  ])("%s", async (_name, text, path) => {
    expect(await failure(() => parseJson(text))).toEqual([["BODY_INVALID", path]]);
  });
  test.each([
    '{"data":{"__proto__":{"a":1}}}',
    '{"n":1.50,"data":{"__proto__":1}}',
    '{"constructor":[{"prototype":1}]}',
  ])("keys of JavaScript's objects are own keys: %s", (text) => {
    expect(writeExactJson(parseJson(text))).toBe(text);
  });
  test("nesting 50,000 deep is rejected without a stack overflow", async () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const text = `${open.repeat(50_000)}1.50${close.repeat(50_000)}`;
      expect(await failure(() => parseJson(text))).toEqual([["BODY_INVALID", undefined]]);
    }
  });
  test("bytes that are not UTF-8 are rejected", async () => {
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    expect(await failure(() => readJsonBody(request(body), { bytesMax: 100 }))).toEqual([
      ["BODY_INVALID", undefined],
    ]);
  });
  test("several faults are reported together", async () => {
    expect(await failure(() => parseJson('{"a":"\\u0000","b":["\\udfff"]}'))).toEqual([
      ["BODY_INVALID", "/a"],
      ["BODY_INVALID", "/b/0"],
    ]);
  });
  test("surrogate pairs and escaped backslashes are accepted", () => {
    expect(parseJson('{"a":"\\ud83d\\ude00\\\\u0000"}')).toEqual({ a: "😀\\u0000" });
  });
});

describe("media type and size", () => {
  test.each([
    ["text/plain", {}],
    ["application/jsonx", {}],
    ["application/json", { "Content-Encoding": "gzip" }],
  ])("%s %j is 415", async (type, headers) => {
    const sent = request("{}", { "Content-Type": type, ...headers });
    expect(await failure(() => readJsonBody(sent, { bytesMax: 100 }))).toEqual([
      ["UNSUPPORTED_MEDIA_TYPE", undefined],
    ]);
  });
  test("a charset beside the media type is accepted", async () => {
    const sent = request("[1]", { "Content-Type": "Application/JSON; charset=utf-8" });
    expect(await readJsonBody(sent, { bytesMax: 3 })).toEqual([1]);
  });
  test("a body over the limit is 413, by its declared length and while it is streamed", async () => {
    const declared = request("[1]", { "Content-Length": "101" });
    expect(await failure(() => readJsonBody(declared, { bytesMax: 100 }))).toEqual([
      ["BODY_TOO_LARGE", undefined],
    ]);
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(60).fill(0x20));
      },
    });
    expect(await failure(() => readJsonBody(request(endless), { bytesMax: 100 }))).toEqual([
      ["BODY_TOO_LARGE", undefined],
    ]);
    expect(pulled).toBeLessThan(5);
  });
});

test("requireData accepts an object with only data", async () => {
  expect(requireData({ data: [1] })).toEqual([1]);
  expect(requireData({ data: null })).toBe(null);
  expect(await failure(() => requireData([]))).toEqual([["BODY_INVALID", "/data"]]);
  expect(await failure(() => requireData({}))).toEqual([["BODY_INVALID", "/data"]]);
  expect(await failure(() => requireData({ data: 1, meta: 1, "a/b": 2 }))).toEqual([
    ["BODY_INVALID", "/meta"],
    ["BODY_INVALID", "/a~1b"],
  ]);
});

test("a strict query reports every parameter that is unknown or repeated", async () => {
  const shape = { single: ["limit"], repeated: ["field"] };
  const query = parseQueryStrict("http://x/?limit=1&field=a&field=b#x", shape);
  expect(query.single.get("limit")).toBe("1");
  expect(query.repeated.get("field")).toEqual(["a", "b"]);
  const bad = "http://x/?limit=1&limit=2&__proto__=1&wh%65re=1&field=%00";
  expect(await failure(() => parseQueryStrict(bad, shape))).toEqual([
    ["QUERY_INVALID", "limit"],
    ["QUERY_INVALID", "__proto__"],
    ["QUERY_INVALID", "where"],
    ["QUERY_INVALID", "field"],
  ]);
});
