import type { ItemProof } from "@rowhouse/db";
import { LRUCache } from "lru-cache";
import type { CallPermit } from "../run/accept-run.ts";
import type { Webhook } from "./load-webhook.ts";
import type { WebhookCaller } from "./webhook-call.ts";

/** What the checks of a call found. A later call with the same credential proves it as it writes its run. */
export interface RememberedCall {
  readonly webhook: Webhook;
  readonly caller: WebhookCaller;
  readonly permit: CallPermit;
}

/** The remembered calls of a process, by credential and slug. An entry may be stale: its permit shows it. */
export interface RememberedCalls {
  find(slug: string, credential: string): RememberedCall | undefined;
  keep(slug: string, credential: string, call: RememberedCall): void;
  forget(slug: string, credential: string): void;
}

const callsMax = 10_000;

export function createRememberedCalls(): RememberedCalls {
  const calls = new LRUCache<string, RememberedCall>({ max: callsMax });
  // A credential is a digest, which contains no space.
  const keyOf = (slug: string, credential: string) => `${credential} ${slug}`;
  return {
    find: (slug, credential) => calls.get(keyOf(slug, credential)),
    keep: (slug, credential, call) => {
      calls.set(keyOf(slug, credential), call);
    },
    forget: (slug, credential) => {
      calls.delete(keyOf(slug, credential));
    },
  };
}

/**
 * Returns the permit of a caller whose role has the invoke grant. Undefined for a signed webhook, whose signature is
 * checked between credential and body, with secrets that are read for each call.
 */
export function permitOf(
  slug: string,
  webhook: Webhook,
  caller: WebhookCaller,
  proof: ItemProof,
): CallPermit | undefined {
  const roleId = caller.roleIds.find((id) => webhook.invokeRoleIds.includes(id));
  if (roleId === undefined || webhook.trigger.signature !== null) return undefined;
  return { slug, roleId, ...proof };
}
