import type { AdminOperations } from "@rowhouse/client";

export type Plan = AdminOperations["POST /configuration/plan"]["answer"]["data"];

/** How a command ends, for programs that read its exit code. */
export const exitCodes = {
  done: 0,
  /** Nothing was applied. */
  fault: 1,
  changes: 2,
  drift: 3,
  /** Whether the plan was applied is unknown. */
  lost: 4,
  /** The output says whether anything was applied. */
  missing: 5,
} as const;

/** What an apply of a plan would lack, as sentences. */
export function missingIn(plan: Plan, consents: readonly string[]): string[] {
  const steps = stepsTaken(plan, consents);
  const needed = new Set(steps.flatMap(({ needsConsent }) => needsConsent));
  const withheld = [...needed].filter((consent) => !consents.includes(consent));
  // The service has too many rows to check where it has not counted them: the apply itself fails on them, or does not.
  const failing = steps
    .filter((step) => step.failing.some(({ rows }) => rows !== null))
    .map(({ subject }) => subject);
  return [
    ...(withheld.length === 0
      ? []
      : [`The plan needs consent: ${withheld.map(allowOption).join(" ")}.`]),
    ...(failing.length === 0
      ? []
      : [
          `Rows would fail: ${[...new Set(failing)].join(", ")}. Correct them, and make a new plan.`,
        ]),
  ];
}

/** Returns the option that gives a consent, as a shell reads it. */
export function allowOption(consent: string): string {
  const isPlain = /^[\w@%+=:,./-]+$/.test(consent);
  return `--allow ${isPlain ? consent : `'${consent.replaceAll("'", String.raw`'\''`)}'`}`;
}

/** The steps that an apply takes: what is in no file stays unless its end is allowed. */
export function stepsTaken({ steps }: Plan, consents: readonly string[]): Plan["steps"] {
  return steps.filter(
    ({ isOptional, needsConsent }) =>
      !isOptional || needsConsent.every((name) => consents.includes(name)),
  );
}

/** The exit code of `plan`. Something that is missing precedes the changes. */
export function codeOfPlan(plan: Plan, consents: readonly string[]): number {
  if (missingIn(plan, consents).length + plan.missing.length > 0) return exitCodes.missing;
  return stepsTaken(plan, consents).length === 0 ? exitCodes.done : exitCodes.changes;
}
