/**
 * The keys of the advisory locks that TypeScript acquires, each for one purpose. SQL functions of the schema `system`
 * use 7723118206 and, with two keys, the class 772311820; refreshes of views have their own class.
 */
export const advisoryLocks = {
  migrations: "7723118201",
  registry: "7723118202",
  reconciler: "7723118203",
  purge: "7723118204",
  consoleLogin: "7723118207",
  mcpCalls: "7723118208",
  /** Held shared by each plan of a configuration, so that plans recognize each other. */
  plans: "7723118209",
  /** A class, whose second keys are plans of the configuration. */
  configurationPlans: "772311821",
} as const;
