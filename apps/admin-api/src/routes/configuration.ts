import { z } from "@hono/zod-openapi";
import { holdAdministrator } from "@rowhouse/access";
import {
  applyPlan,
  type Caller,
  driftKinds,
  jsonSchemas,
  planConfiguration,
  readConfiguration,
  readDrift,
  readManaged,
  readStoredPlan,
  rootFile,
  type Services,
  stepKinds,
  Turns,
} from "@rowhouse/configuration";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, one, type ServiceEnvironment } from "@rowhouse/http";
import { partNames } from "@rowhouse/wire";
import type { Context } from "hono";
import { mountRoute } from "../mount-route.ts";
import { moment } from "../route-parts.ts";
import { changePreview } from "./table-answers.ts";

const filesMax = 20_000;
const pathLengthMax = 2_000;
const consentsMax = 10_000;

const files = z.record(z.string(), z.string()).openapi("ConfigurationFiles", {
  description: `Texts by path, with / between folders; ${rootFile} names the version and the parts`,
});
const part = z.enum(partNames);
const partQuery = z.object({
  part: z
    .string()
    .optional()
    .openapi({ description: `Parts, separated by commas: ${partNames.join(", ")}` })
    .transform((text, context) => {
      if (text === undefined) return undefined;
      const parts = z.array(part).safeParse(text.split(","));
      if (parts.success) return parts.data;
      context.addIssue({ code: "custom", message: `A part is ${partNames.join(", ")}` });
      return z.NEVER;
    }),
});
const { sql, locks, losses, failingRows, notes } = changePreview.shape;

/** What a step may fail on. */
const stepCodes = [
  ...["BODY_INVALID", "VALUE_INVALID", "EXPRESSION_INVALID", "REQUIRED_FIELD"],
  ...["CHECK_VIOLATION", "UNIQUE_VIOLATION", "FOREIGN_KEY_VIOLATION", "CONFLICT"],
  ...["WORKFLOW_INVALID", "FIELD_UNKNOWN"],
] as const;

/** The longest wait that proxies let pass, in seconds. */
const waitMax = 50;
const wait = z.number().int().min(1).max(waitMax).optional().openapi({
  description:
    "Answer after this many seconds at the latest, with the state PLANNING or APPLYING; GET /configuration/plans/{id} has the end",
});

const planBody = z.strictObject({
  files: files
    .refine((all) => Object.keys(all).length <= filesMax, {
      error: ({ input }) =>
        `A configuration has at most ${filesMax} files; these are ${Object.keys(input as object).length}`,
    })
    .refine((all) => Object.keys(all).every((path) => path.length <= pathLengthMax), {
      error: `A path has at most ${pathLengthMax} characters`,
    }),
  options: z
    .strictObject({
      environment: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,100}$/)
        .optional()
        .openapi({ description: "The variables are in the file environments/<name>.yaml" }),
      variables: z
        .record(z.string(), z.string())
        .optional()
        .openapi({ description: "Values by name; they precede those of the file" }),
      parts: z
        .array(part)
        .optional()
        .openapi({ description: `Only these parts; by default those of ${rootFile}` }),
    })
    .optional(),
  wait,
});

const plan = z
  .object({
    planId: z.string().openapi({ description: "For its apply, within 24 hours" }),
    state: z.enum(["PLANNING", "PLANNED", "APPLYING", "APPLIED", "FAILED"]).openapi({
      description:
        "FAILED: the plan was not made, or its last apply has failed; the latter can be repeated",
    }),
    digest: z.string().openapi({
      description:
        "Of the present configuration and of the steps; the apply repeats it. Empty until the plan is made",
    }),
    steps: z
      .array(
        z.object({
          kind: z.enum(stepKinds),
          document: z.string().openapi({ description: "The path of the file that asks for it" }),
          line: z.number().nullable().openapi({ description: "In this file; null if it is gone" }),
          subject: z.string().openapi({ description: "What it changes, such as fleet.trips" }),
          sql,
          changes: z
            .array(
              z.object({
                field: z.string().openapi({ description: "The place in what it changes" }),
                before: z.string().nullable(),
                after: z.string().nullable(),
                diff: z.string().nullable().openapi({
                  description:
                    "The changed lines of a text, or of a value that does not fit into a line, as YAML: a unified diff without file names. Then before and after are null",
                }),
                leftOut: z.number().openapi({
                  description: "Characters at the end of the diff that a long plan leaves out",
                }),
              }),
            )
            .readonly()
            .openapi({
              description:
                "The values that it changes, by field, as JSON; null if there is none. All steps of a plan have 2,000,000 characters of changes; of more, the steps with the most are cut and say so (leftOut, moreChanges)",
            }),
          moreChanges: z
            .number()
            .openapi({ description: "Further changes that a long plan leaves out" }),
          ...{ locks, losses, failing: failingRows },
          needsConsent: z
            .array(z.string())
            .readonly()
            .openapi({ description: "The apply must repeat each, such as drop:fleet.trips.note" }),
          isOptional: z.boolean().openapi({
            description:
              "Without its consent the apply leaves it out: what is in no file, such as a table of another tool, stays",
          }),
          sessionOnly: z.boolean().openapi({ description: "A token cannot apply it" }),
          notes,
        }),
      )
      .readonly()
      .openapi({ description: "In the order of their execution; none if nothing changes" }),
    missing: z
      .array(
        z.object({
          document: z.string().openapi({ description: "The path of the file that names it" }),
          subject: z.string(),
          message: z.string(),
        }),
      )
      .readonly()
      .openapi({
        description:
          "What the files name and leave to other tools, and what the database does not have; the apply does the rest",
      }),
    notes: z
      .array(
        z.object({
          document: z.string().openapi({ description: "The path of the file" }),
          subject: z.string(),
          message: z.string(),
        }),
      )
      .readonly()
      .openapi({
        description: "What the files say without an effect, such as a stale renamedFrom",
      }),
    notInTransaction: z.array(z.string()).readonly().openapi({
      description:
        "Statements that the apply commits before its transaction, so that its steps can use what they add, such as a value of an enum; they can be repeated",
    }),
    attempts: z.number().openapi({ description: "Applies of the plan that have begun" }),
    done: z
      .number()
      .nullable()
      .openapi({ description: "Steps that are done, while it is applied" }),
    current: z
      .object({ kind: z.enum(stepKinds), subject: z.string() })
      .nullable()
      .openapi({ description: "The step in progress" }),
    applyId: z.string().nullable().openapi({ description: "The apply, once it is committed" }),
    errors: z
      .array(
        z.object({
          code: z.string(),
          message: z.string(),
          path: z.string().optional(),
          details: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .readonly()
      .nullable()
      .openapi({ description: "Why the plan was not made, or its last apply has failed" }),
  })
  .openapi("ConfigurationPlan");

const applyBody = z.strictObject({
  planId: z.string().max(100),
  digest: z.string().max(100),
  consents: z.array(z.string().max(500)).max(consentsMax).default([]),
  source: z
    .strictObject({
      commit: z.string().max(200).optional(),
      url: z
        .url({ protocol: /^https?$/ })
        .max(2_000)
        .optional(),
    })
    .optional()
    .openapi({ description: "Where the files are from" }),
  wait,
});

const apply = z
  .object({
    planId: z.string(),
    state: z.enum(["APPLIED", "APPLYING"]),
    applyId: z.string().nullable().openapi({ description: "Null while it is in progress" }),
    steps: z.number(),
    isRepeated: z
      .boolean()
      .openapi({ description: "Whether an earlier request has applied the plan" }),
  })
  .openapi("ConfigurationApply");

const drift = z
  .object({
    lastApply: z
      .object({
        id: z.string(),
        appliedAt: moment,
        appliedBy: z.object({ id: z.string(), email: z.string() }).nullable(),
        source: z.object({ commit: z.string().nullable(), url: z.string().nullable() }),
        steps: z.number(),
      })
      .nullable()
      .openapi({ description: "Null before the first apply" }),
    parts: z.array(part).readonly().openapi({
      description: "The parts that have been applied, each by the last apply that had it",
    }),
    files: z
      .array(
        z.object({
          path: z.string(),
          before: z.string().nullable().openapi({ description: "Null for a file that is new" }),
          after: z.string().nullable().openapi({ description: "Null for one that is gone" }),
          kind: z.enum(driftKinds).openapi({
            description:
              "NOT_IN_FILES: made beside the files; MISSING: gone from the service; CHANGED",
          }),
        }),
      )
      .readonly(),
  })
  .openapi("ConfigurationDrift");

const managed = z
  .object({
    part,
    names: z
      .array(z.string())
      .readonly()
      .openapi({ description: "The names of the record, such as a schema and a table" }),
    path: z.string(),
  })
  .openapi("ManagedDocument");

/** Serves the configuration as documents: reads, plans and applies them, and tells what has changed beside them. */
export function mountConfigurationRoutes(
  router: ApiRouter,
  {
    database,
    snapshots,
    vault,
  }: Services & { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  const path = "/admin/api/configuration";
  const turns = new Turns();
  mountRoute(router, {
    method: "get",
    path,
    summary: "Get the configuration as files",
    query: partQuery,
    answer: one(z.object({ files }), "Always the same bytes for the same configuration"),
    run: async ({ query }) => ({
      files: await readConfiguration(database, snapshots, query.part),
    }),
  });
  mountRoute(router, {
    method: "get",
    path: `${path}/schemas`,
    summary: "Get the JSON Schema of the files of each part, for editors",
    answer: one(z.record(z.string(), z.record(z.string(), z.unknown())), "By part"),
    run: jsonSchemas,
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/plan`,
    summary: "Plan the changes that make the configuration what files say",
    body: planBody,
    codes: [...stepCodes, "RATE_LIMIT_EXCEEDED"],
    answer: one(plan, "The steps; nothing is changed. The plan ends if its caller leaves"),
    run: ({ data: { files: given, options = {}, wait: seconds }, actor, c }) =>
      planConfiguration(
        database,
        given,
        options,
        callerOf(actor, c, { vault }),
        optionsOf(c, turns, seconds),
      ),
  });
  mountRoute(router, {
    method: "get",
    path: `${path}/plans/{id}`,
    summary: "Get a plan as it is stored, with its state",
    codes: ["NOT_FOUND"],
    answer: one(plan, "The plan; it is kept for 24 hours"),
    run: ({ at }) => readStoredPlan(database, at.id),
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/apply`,
    summary: "Apply a plan in one transaction: exactly its steps, or nothing",
    body: applyBody,
    codes: [...stepCodes, "NOT_FOUND", "PLAN_STALE", "SESSION_REQUIRED", "RATE_LIMIT_EXCEEDED"],
    answer: one(
      apply,
      "The apply, which is committed. A plan is applied once; it goes on if its caller leaves",
    ),
    run: ({ data: { wait: seconds, ...request }, actor, c }) =>
      applyPlan(database, request, callerOf(actor, c, { vault }), optionsOf(c, turns, seconds)),
  });
  mountRoute(router, {
    method: "get",
    path: `${path}/drift`,
    summary: "Get what has changed beside the files since the last apply",
    query: partQuery,
    answer: one(drift, "The files that differ, by path"),
    run: ({ query }) => readDrift(database, snapshots, query.part),
  });
  mountRoute(router, {
    method: "get",
    path: `${path}/managed`,
    summary: "List the documents that have been applied: their records are kept in files",
    answer: one(z.array(managed).readonly(), "By path"),
    run: () => readManaged(database),
  });
}

function callerOf(
  actor: Caller["actor"],
  c: Context<ServiceEnvironment>,
  services: Services,
): Caller {
  const authorization = c.req.header("authorization");
  return {
    ...{ actor, hasSession: c.get("principal").session !== null, services },
    prove: (transaction) => holdAdministrator(transaction, authorization),
  };
}

function optionsOf(c: Context<ServiceEnvironment>, turns: Turns, seconds: number | undefined) {
  const { signal } = c.req.raw;
  return { signal, turns, waitMs: seconds === undefined ? undefined : seconds * 1000 };
}
