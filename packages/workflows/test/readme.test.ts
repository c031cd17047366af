import { expect, it } from "vitest";
import { openTestEnvironment } from "./test-environment.ts";

it("the README's workflow creates a row and responds with its id", async () => {
  const environment = await openTestEnvironment();
  const { slug } = await environment.publish([
    {
      id: "trip",
      kind: "createRow",
      table: "trip",
      values: { note: '{{start.data.body.note ?? "none"}}' },
    },
    { id: "end", kind: "finish", result: { id: "{{steps.trip.id}}" } },
  ]);
  const answers = [
    await environment.call(slug, { body: { note: "x" } }),
    await environment.call(slug),
  ];
  expect(answers.map((answer) => answer.body.data)).toMatchObject([
    { status: "SUCCEEDED", result: { id: "1" } },
    { status: "SUCCEEDED", result: { id: "2" } },
  ]);
  const rows = await environment.database.query("select note from public.trip order by id");
  expect(rows).toEqual([{ note: "x" }, { note: "none" }]);
  await environment.close();
});
