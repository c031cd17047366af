import type { AppError } from "@rowhouse/errors";
import { createError } from "@rowhouse/errors";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { AssertionFault, AssertionVerifier } from "./assertion.ts";

/** Maximum number of gateways whose faults are remembered. */
const rememberedMax = 100;

/** Checks the assertion with which a gateway introduces itself in a health request. */
export interface IntroductionCheck {
  /**
   * @param address of the gateway
   * @throws AUTHENTICATION_REQUIRED with the fault in its details
   */
  check(introduction: string, address: string): Promise<void>;
}

/** Creates a check that logs each change of a gateway's state only: gateways ask every second. */
export function createIntroductionCheck(
  verifier: Pick<AssertionVerifier, "faultOf">,
  logger: Pick<Logger, "error" | "warn">,
): IntroductionCheck {
  const faults = new LRUCache<string, string>({ max: rememberedMax });
  return {
    check: async (introduction, address) => {
      const fault = await verifier.faultOf(introduction);
      const last = faults.get(address);
      if (fault === undefined) {
        if (faults.delete(address)) logger.warn({ address }, "The gateway's requests are accepted");
        return;
      }
      if (last !== fault.kind) {
        faults.set(address, fault.kind);
        logger.error(
          { address, fault },
          `Requests of the gateway at ${address} are rejected: ${causeOf(fault)}`,
        );
      }
      throw refusal(fault);
    },
  };
}

function refusal(fault: AssertionFault): AppError {
  return createError("AUTHENTICATION_REQUIRED", { details: { fault } });
}

/** The cause for an operator, logged by both sides. */
export function causeOf(fault: AssertionFault): string {
  switch (fault.kind) {
    case "SECRET":
      return "gateway and service have different secrets (ROWHOUSE_SECRET, ROWHOUSE_EDGE_SECRETS)";
    case "SERVICE":
      return "the gateway addresses it as another service (DATA_API_URL, ADMIN_API_URL)";
    case "CLOCK":
      return `the service's clock is ${Math.abs(fault.aheadS)} s ${fault.aheadS > 0 ? "ahead of" : "behind"} the gateway's; at most 30 s are allowed`;
  }
}

/** Returns the fault in the body of a rejection; undefined for any other body. */
export function assertionFaultIn(body: unknown): AssertionFault | undefined {
  const { errors } = body as {
    readonly errors?: readonly { readonly details?: { readonly fault?: AssertionFault } }[];
  };
  const fault = errors?.[0]?.details?.fault;
  if (fault?.kind === "SECRET" || fault?.kind === "SERVICE") return { kind: fault.kind };
  return fault?.kind === "CLOCK" && Number.isInteger(fault.aheadS)
    ? { kind: "CLOCK", aheadS: fault.aheadS }
    : undefined;
}
