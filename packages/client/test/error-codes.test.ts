import { errorCodes } from "@rowhouse/errors";
import { expect, it } from "vitest";

it("the client's codes are those of the table of errors; `npm run types:client` writes them", async () => {
  const codes = Object.keys(errorCodes).map((code) => `  "${code}",\n`);
  const text = `// Generated from packages/errors by \`npm run types:client\`.

/** Every error code of the service. */
export const errorCodes = [
${codes.join("")}] as const;

/** A stable, upper-case error code of the service. */
export type ErrorCode = (typeof errorCodes)[number];
`;
  await expect(text).toMatchFileSnapshot("../src/errors/error-codes.generated.ts");
});
