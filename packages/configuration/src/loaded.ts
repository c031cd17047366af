// What plans, applies and reads configurations is loaded with the first call: most starts of a process never need it.

type Reading = typeof import("./plan/drift.ts");

export const planConfiguration: typeof import("./plan/plan.ts")["planConfiguration"] = async (
  ...given
) => (await import("./plan/plan.ts")).planConfiguration(...given);

export const applyPlan: typeof import("./plan/apply.ts")["applyPlan"] = async (...given) =>
  (await import("./plan/apply.ts")).applyPlan(...given);

export const readConfiguration: Reading["readConfiguration"] = async (...given) =>
  (await import("./plan/drift.ts")).readConfiguration(...given);

export const readDrift: Reading["readDrift"] = async (...given) =>
  (await import("./plan/drift.ts")).readDrift(...given);

export const readManaged: Reading["readManaged"] = async (...given) =>
  (await import("./plan/drift.ts")).readManaged(...given);

/** Returns the JSON Schema of the documents of each part, by its name. */
export const jsonSchemas = async () => (await import("./parts/parts.ts")).jsonSchemas();
