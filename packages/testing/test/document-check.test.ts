import { describe, expect, it } from "vitest";
import { createDocumentCheck } from "../src/index.ts";
import { createSample, everyAnswer } from "../src/openapi/answer-sample.ts";

/** The document of a caller who may read a column of a table. */
const documentWith = (column: string) =>
  JSON.stringify({
    openapi: "3.1.0",
    paths: {
      "/api/public/table/things": {
        get: {
          responses: {
            200: {
              description: "x",
              content: {
                "application/json": {
                  schema: { type: "object", properties: { [column]: { type: "integer" } } },
                },
              },
            },
          },
        },
      },
    },
  });

/** A check whose callers have the documents that a test sets, and the number of documents that it has loaded. */
function startCheck(sample = everyAnswer) {
  const documents = new Map([["Bearer a", documentWith("id")]]);
  const asked: string[] = [];
  const check = createDocumentCheck(async (_path, authorization) => {
    asked.push(authorization);
    return { status: 200, text: documents.get(authorization) ?? "{}" };
  }, sample);
  const answer = (row: object, authorization = "Bearer a", status = 200) =>
    check({
      method: "GET",
      path: "/api/public/table/things",
      authorization,
      status,
      contentType: "application/json",
      text: JSON.stringify(row),
    });
  return { documents, asked, answer };
}

describe.each([
  ["of every response", () => everyAnswer],
  ["of a sample of the responses", () => createSample(1)],
])("a comparison %s with the documents of a service", (_name, sampleOf) => {
  it("reports the difference of the first wrong response of a caller", async () => {
    const { answer } = startCheck(sampleOf());
    await expect(answer({ id: "1" })).rejects.toThrow(/body\/id must be integer/);
  });

  it("reports a wrong response of a second caller whose document differs", async () => {
    const { documents, answer } = startCheck(sampleOf());
    documents.set("Bearer b", documentWith("name"));
    await answer({ id: 1 });
    await expect(answer({ id: 1 }, "Bearer b")).rejects.toThrow(/unevaluated properties/);
  });

  it("reports each response with a status that the operation does not have", async () => {
    const { answer } = startCheck(sampleOf());
    await answer({ id: 1 });
    for (let count = 0; count < 20; count += 1) {
      await expect(answer({ id: 1 }, "Bearer a", 201)).rejects.toThrow(
        /a status that the operation does not have/,
      );
    }
  });

  it("loads the document of a caller once while it describes the responses", async () => {
    const { asked, answer } = startCheck(sampleOf());
    for (let count = 0; count < 100; count += 1) await answer({ id: 1 });
    expect(asked).toEqual(["Bearer a"]);
  });

  it("accepts the responses of a caller whose document has changed since", async () => {
    const { documents, asked, answer } = startCheck(sampleOf());
    await answer({ id: 1 });
    documents.set("Bearer a", documentWith("name"));
    for (let count = 0; count < 100; count += 1) await answer({ name: 1 });
    expect(asked).toEqual(["Bearer a", "Bearer a"]);
  });
});

/** The number of reported responses among 400 wrong ones that follow a right one. */
async function reportedOf(sample: typeof everyAnswer): Promise<number> {
  const { answer } = startCheck(sample);
  await answer({ id: 1 });
  let reported = 0;
  for (let count = 0; count < 400; count += 1) {
    await answer({ id: "1" }).catch(() => {
      reported += 1;
    });
  }
  return reported;
}

it("a wrong response after a right one is reported always, and in a sample about once in eight", async () => {
  expect(await reportedOf(everyAnswer)).toBe(400);
  const sampled = await reportedOf(createSample(1));
  expect(sampled).toBeGreaterThan(30);
  expect(sampled).toBeLessThan(75);
});
