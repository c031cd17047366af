import { describe, expect, it } from "vitest";
import { renderErrorPage } from "../src/error-page.ts";

describe("the page of error codes", () => {
  it("is what the code table generates; `npm run docs:errors` writes it", async () => {
    await expect(renderErrorPage()).toMatchFileSnapshot("../../../docs/errors.md");
  });
});
