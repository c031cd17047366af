import { expect, it } from "vitest";
import { kindsFile } from "../build/kinds-file.ts";

it("the pages know the fields that the kinds of records have; `npm run kinds` writes them", async () => {
  await expect(kindsFile()).toMatchFileSnapshot("../src/kinds/kinds.generated.ts");
});
