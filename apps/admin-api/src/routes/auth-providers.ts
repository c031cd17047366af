import { createProvider, providerRecords, updateProvider } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import { mountKind } from "../kind-routes.ts";

/** Serves the providers for sign-in. */
export function mountAuthProviderRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly vault: Vault },
): void {
  mountKind(router, providerRecords, {
    database: dependencies.database,
    order: "By key",
    list: { summary: "List the providers for sign-in" },
    create: {
      summary: "Add a provider; its client secret cannot be read afterwards",
      codes: ["VALUE_INVALID", "CONFLICT"],
      run: (data, actor) => createProvider(dependencies, data, actor),
    },
    update: {
      summary: "Change a provider; with another issuer, clientSecret is required",
      codes: ["VALUE_INVALID", "REQUIRED_FIELD"],
      run: (id, data, actor, ifMatch) => updateProvider(dependencies, id, data, actor, ifMatch),
    },
  });
}
