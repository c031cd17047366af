import { dropTable, previewDropTable } from "@rowhouse/ddl";
import { relationKey } from "../../documents/document-name.ts";
import { noEffects, type Step, stepOrder } from "../../model/part.ts";
import { alterStep, inPieces } from "./alter-steps.ts";
import type { PlacedChange } from "./table-changes.ts";
import { namesOfTable, type TableDocument } from "./table-document.ts";

/**
 * A table to be dropped, whose foreign keys go before: tables may refer to each other.
 *
 * @param isOptional whether it was made beside the files, so that nobody has asked for its end
 */
export function dropSteps(
  path: string,
  { foreignKeys }: TableDocument,
  isOptional: boolean,
): Step[] {
  const [schema = "", name = ""] = namesOfTable(path) ?? [];
  const changes = Object.keys(foreignKeys).map(
    (constraint): PlacedChange => ({
      change: { kind: "dropConstraint", constraint },
      placeOf: () => [],
    }),
  );
  const { letGo } = stepOrder.tables;
  return [
    ...inPieces(changes).map((piece): Step => {
      const { preview, run, ...step } = alterStep(path, piece, schema, name, letGo, false);
      const consent = consentOfDrop(schema, name);
      return {
        ...step,
        ...{ consent, isOptional },
        preview: async (world) => ({
          ...noEffects,
          sql: (await preview?.(world, true))?.sql ?? [],
        }),
        run: (world) => run(world, () => true),
      };
    }),
    { ...dropStep(path, schema, name), isOptional },
  ];
}

function consentOfDrop(schema: string, name: string): string {
  return `drop:${relationKey(schema, name)}`;
}

function dropStep(path: string, schema: string, name: string): Step {
  const subject = relationKey(schema, name);
  const input = { schema, table: name, cascade: false };
  // The steps that drop foreign keys and views before it were only previewed.
  return {
    kind: "table.drop",
    document: path,
    subject,
    breaks: [{ schema, table: name, column: null, isGone: true }],
    order: stepOrder.tables.drop,
    detail: null,
    consent: consentOfDrop(schema, name),
    preview: async ({ database, dropped: gone }) => {
      const preview = await previewDropTable(database, input, { gone, foreignKeys: true });
      return { ...preview, confirmations: [] };
    },
    run: ({ database, actor }) => dropTable(database, { ...input, confirm: name, actor }),
  };
}
