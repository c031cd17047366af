import { expect, it } from "vitest";
import { openHouse } from "./house.ts";

it("the README's workflow creates a row and answers with its id", async () => {
  const house = await openHouse();
  const { slug } = await house.publish([
    {
      id: "trip",
      kind: "createRow",
      table: "trip",
      values: { note: '{{start.data.body.note ?? "none"}}' },
    },
    { id: "end", kind: "finish", result: { id: "{{steps.trip.id}}" } },
  ]);
  const answers = [await house.call(slug, { body: { note: "x" } }), await house.call(slug)];
  expect(answers.map((answer) => answer.body.data)).toMatchObject([
    { status: "SUCCEEDED", result: { id: "1" } },
    { status: "SUCCEEDED", result: { id: "2" } },
  ]);
  const rows = await house.database.query("select note from public.trip order by id");
  expect(rows).toEqual([{ note: "x" }, { note: "none" }]);
  await house.close();
});
