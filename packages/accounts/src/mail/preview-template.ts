import type { Queryable } from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { reasonOf } from "@rowhouse/templates";
import { checkTemplate } from "./check-template.ts";
import { fillTemplate } from "./fill-template.ts";
import type { MailTexts, MailVariables } from "./render-template.ts";
import { sampleValuesOf } from "./sample-values.ts";
import { mergeParts, readTemplate, type TemplateParts } from "./templates.ts";

/** Changed parts of a template, and values in place of the sample values. */
export interface TemplateDraft extends TemplateParts {
  readonly values?: MailVariables | undefined;
}

/** A mail as its reader would receive it, and the values that it was rendered with. */
export interface TemplatePreview extends MailTexts {
  readonly variables: { readonly name: string; readonly value: string | number }[];
}

/**
 * Renders a template with changes that are not stored. Its link is always the sample link.
 *
 * @throws AppError NOT_FOUND; VALUE_INVALID for parts that could not be stored, and for values of unknown variables
 */
export async function previewTemplate(
  database: Queryable,
  id: string,
  { values = {}, ...changes }: TemplateDraft,
): Promise<TemplatePreview> {
  const stored = await readTemplate(database, id);
  const draft = mergeParts(stored, changes);
  const samples = sampleValuesOf(stored.key);
  throwFaults([
    ...(await checkTemplate(stored.key, draft)),
    ...Object.keys(values).flatMap((name) => valueFaults(name, samples)),
  ]);
  const used = { ...samples, ...values };
  const reader = { name: String(used.name), email: String(used.email) };
  try {
    const parts = await fillTemplate(draft, reader, used);
    const variables = stored.variables.map((name) => ({ name, value: used[name] ?? "" }));
    return { ...parts, variables };
  } catch (error) {
    // With these values a template can take another branch than with those of the check.
    const message = `Cannot be rendered with these values: ${reasonOf(error)}`;
    throw createError("VALUE_INVALID", { path: "/data/values", message });
  }
}

function valueFaults(name: string, samples: MailVariables): Fault[] {
  const fault = (message: string) => [
    createFault("VALUE_INVALID", { path: `/data/values/${name}`, message }),
  ];
  if (name === "link") return fault("The link of a sample cannot be changed");
  return Object.hasOwn(samples, name) ? [] : fault("This mail has no such variable");
}
