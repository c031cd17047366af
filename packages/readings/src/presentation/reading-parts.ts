import { exactObject } from "@rowhouse/db";
import { isStorableText, roundNumbers } from "@rowhouse/wire";
import { z } from "zod";
import { positionMax } from "./openers.ts";

/** A timestamp, ISO 8601 in UTC. */
export const moment = z.string().meta({ format: "date-time" });

/** Text that Postgres can store. */
export const storableText = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine(isStorableText, "Text cannot contain NUL or an unpaired surrogate");

export const readingName = storableText(1, 100);
export const readingDescription = storableText(0, 1000);

export const roleIds = z
  .array(z.guid())
  .max(200)
  .meta({ description: "Roles whose members may open it; Administrators always may" });

const term = storableText(1, 300);

export const filter = exactObject.nullable().meta({
  description: "A filter in the language of `where`",
  example: { status: { _eq: "AVAILABLE" } },
});
/** A field of a filter whose column means something else than when the filter was saved. */
export const lostField = z.object({
  field: z.string(),
  reason: z.enum(["TYPE", "COLLATION", "LOCALE", "LABEL"]),
});
export const lostDescription =
  "The fields of its filters whose columns mean something else than when the filters were saved. Its rows are not read until the filters are sent again";

export const fieldNames = z
  .array(term)
  .min(1)
  .max(200)
  .nullable()
  .meta({ description: "Null for every field that the reader may see" });
export const orderTerms = z
  .array(term)
  .max(32)
  .meta({ example: ["-created_at", "plate"] });
export const rowLimit = z
  .preprocess(roundNumbers, z.int().min(1).max(100_000).nullable())
  .meta({ type: ["integer", "null"], minimum: 1, maximum: 100_000 });
export const aggregateTerms = z
  .array(term)
  .min(1)
  .max(20)
  .meta({ example: ["count", "sum(price)"] });
export const groupTerms = z
  .array(term)
  .max(5)
  .meta({ example: ["status"] });

export const positionSchema = z.preprocess(roundNumbers, z.int().min(0).max(positionMax)).meta({
  type: "integer",
  minimum: 0,
  maximum: positionMax,
  description: "The order in the navigation, before the name",
});
