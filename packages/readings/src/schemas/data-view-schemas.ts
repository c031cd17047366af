import { z } from "zod";
import { iconSchema } from "../presentation/icons.ts";
import { plainTable, presentationSchema } from "../presentation/presentation.ts";
import {
  fieldNames,
  filter,
  lostDescription,
  lostField,
  moment,
  orderTerms,
  positionSchema,
  readingDescription,
  readingName,
  roleIds,
  rowLimit,
} from "../presentation/reading-parts.ts";

/** A DataView in a response. */
export const dataViewSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    icon: iconSchema,
    position: z.int(),
    resourceId: z.string(),
    fields: z.array(z.string()).nullable(),
    where: z.record(z.string(), z.unknown()).nullable(),
    orderBy: z.array(z.string()),
    limit: z.int().nullable(),
    presentation: presentationSchema,
    roleIds: z.array(z.string()),
    lost: z.array(lostField).meta({ description: lostDescription }),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: "DataView" });

/** A saved reading of one resource. */
export type DataViewRecord = Readonly<z.output<typeof dataViewSchema>>;

/** A DataView of a body, with every member. */
export type DataViewInput = Omit<DataViewRecord, "id" | "lost" | "createdAt" | "updatedAt">;

/** A DataView in the body of a request. */
export const dataViewInput = z.strictObject({
  name: readingName,
  description: readingDescription.optional(),
  icon: iconSchema.optional(),
  position: positionSchema.optional(),
  resourceId: z.guid(),
  fields: fieldNames.optional(),
  where: filter.optional(),
  orderBy: orderTerms.optional(),
  limit: rowLimit.optional().meta({ description: "Maximum number of rows" }),
  presentation: presentationSchema.optional(),
  roleIds: roleIds.optional(),
});

/** Returns the DataView of a body, with the defaults of omitted members. */
export function viewOfBody(given: z.output<typeof dataViewInput>): DataViewInput {
  return {
    description: "",
    icon: null,
    position: 0,
    fields: null,
    where: null,
    orderBy: [],
    limit: null,
    presentation: plainTable,
    roleIds: [],
    name: given.name,
    resourceId: given.resourceId,
    ...withoutAbsent(given),
  };
}

type Given<Value> = { readonly [Key in keyof Value]?: Exclude<Value[Key], undefined> };

/** Returns the members that have a value. */
export function withoutAbsent<Value extends object>(changes: Value): Given<Value> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<Value>;
}
