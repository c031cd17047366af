import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";

/**
 * Returns the findings of two public validators about an OpenAPI document: the schema of the specification, and
 * Redocly's rules (unresolved references, duplicate names, parameters that no path has, invalid examples). Redocly's
 * style warnings count too, except for the missing license of an API that has none.
 */
export async function documentFaults(document: object): Promise<string[]> {
  const source = JSON.stringify(document);
  const { valid, errors } = await new Validator().validate(JSON.parse(source));
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      "info-license": "off",
      // A navigation endpoint only redirects.
      "operation-2xx-response": "off",
      // The rule ignores the formats of parameters: the id of a file is a UUID, so it is never `uploads`.
      "no-ambiguous-paths": "off",
      // Two formats that JSON Schema cannot distinguish (addresses and address ranges) look alike.
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
