import type { z } from "zod";

export interface SettingDefinition {
  readonly schema: z.ZodType;
  /** Null for every nullable setting: so null in a change always selects the default. */
  readonly default: unknown;
  /** A sentence for administrators. */
  readonly description: string;
  /** Whether a change requires an administrator's session; a token cannot change it. */
  readonly sessionOnly?: boolean;
}
