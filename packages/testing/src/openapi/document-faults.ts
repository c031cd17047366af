import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";

/**
 * What two public validators have against an OpenAPI document: the schema of the specification itself, and Redocly's
 * rules (references that lead nowhere, names given twice, parameters that no path has, examples that do not fit).
 * Redocly's warnings, which are matters of taste, count too, but for the licence of an API that has none.
 */
export async function documentFaults(document: object): Promise<string[]> {
  const source = JSON.stringify(document);
  const { valid, errors } = await new Validator().validate(JSON.parse(source));
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      "info-license": "off",
      // What a browser is sent to answers with a redirect and nothing else.
      "operation-2xx-response": "off",
      // Two forms that differ in what JSON Schema has no word for (addresses, ranges of them) look alike.
      "no-illogical-composition-keywords": "off",
    },
  });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return [
    ...(valid ? [] : [`schema: ${JSON.stringify(errors)}`]),
    ...problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? "?"}`,
    ),
  ];
}
