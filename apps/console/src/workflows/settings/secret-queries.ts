import type { AdminOperations } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { renew } from "../../shell/renew.ts";
import { secretListKey } from "../form/use-secrets.ts";

/** A secret without its value. */
export type Secret = AdminOperations["GET /workflow-secrets/{name}"]["answer"]["data"];

/** Returns the function that shows a changed secret everywhere. */
export function useSecretChange(): () => Promise<void> {
  const cache = useQueryClient();
  return () => renew(cache, { queryKey: secretListKey });
}
