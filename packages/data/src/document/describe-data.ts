import type { Principal } from "@rowhouse/access";
import type { Snapshot } from "@rowhouse/db";
import { settingsOf } from "@rowhouse/settings";
import { Visibility } from "../authorize/visible.ts";
import { requestLimitsOf } from "../parse/parse-request.ts";
import { batchOperation, batchTag } from "./batch-operation.ts";
import { ComponentNames } from "./component-names.ts";
import { conditionSchemas } from "./filter-schemas.ts";
import type { Json } from "./json.ts";
import { ErrorAnswers } from "./operation-errors.ts";
import { operationsOf, tagOf } from "./operations.ts";
import { querySchema, sharedParameters } from "./parameters.ts";
import { accessOf } from "./relation-access.ts";
import {
  importedSchema,
  listSchema,
  memberNameSchema,
  numbersSchema,
  rowSchemas,
} from "./row-schemas.ts";
import { usedComponents } from "./used-components.ts";

/** The part of an OpenAPI document that describes rows. */
export interface DataDescription {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly parameters: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, unknown>>;
  };
}

const inheritedNote =
  ". Its rows include those of inheriting tables, which may have the same keys, so no row has an id";

/**
 * Describes the Data API for one principal: the exposed resources on which its roles have a grant, with the granted
 * actions and fields. The document names nothing else.
 */
export function describeData(
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): DataDescription {
  const visibility = new Visibility(snapshot, principal);
  const names = new ComponentNames();
  const errors = new ErrorAnswers();
  const tags: { name: string; description: string }[] = [batchTag];
  const paths: Record<string, Record<string, Json>> = { "/api/batch": batchOperation(errors) };
  const schemas: Record<string, Json> = {};
  const lists: Record<string, Json> = {};
  for (const relation of snapshot.catalogue.relations) {
    const access = accessOf(relation, snapshot, visibility, names);
    if (access === undefined) continue;
    const { comment, resource } = relation;
    const kind = resource.kind === "VIEW" ? "A view" : "A table";
    const description = `${comment ?? kind}${relation.isInherited ? inheritedNote : ""}`;
    tags.push({ name: tagOf(relation), description });
    Object.assign(paths, operationsOf(access, errors));
    Object.assign(schemas, rowSchemas(access));
    lists[`${access.name}.List`] = listSchema(access.name);
  }
  const text = JSON.stringify([paths, schemas]);
  const limits = requestLimitsOf(settingsOf(snapshot));
  const shared = {
    ...conditionSchemas(),
    ...lists,
    MemberName: memberNameSchema,
    Numbers: numbersSchema,
    Query: querySchema(limits),
    Imported: importedSchema,
  };
  Object.assign(schemas, usedComponents("schemas", shared, text));
  const parameters = sharedParameters(limits);
  return {
    tags,
    paths,
    components: {
      schemas,
      parameters: usedComponents("parameters", parameters, text),
      responses: errors.responses,
    },
  };
}
