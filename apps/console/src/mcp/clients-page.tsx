import type { AdminOperations } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { Listing } from "../shell/listing.tsx";
import { renew } from "../shell/renew.ts";
import { useSetting } from "../shell/settings.ts";
import { useListing } from "../shell/use-listing.ts";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Entries } from "../ui/entries.tsx";
import { ClientEntry, type ConnectedClient } from "./client-entry.tsx";
import { McpOff } from "./mcp-off.tsx";

const listKey = ["people", "tokens", { client: "true" }];

/** The clients that people have connected by OAuth, which an administrator can cut off. */
export function ClientsPage() {
  const t = useTranslations("mcp");
  const isOn = useSetting("mcp.enabled") === true;
  const clients = useListing(listKey, (page, signal) =>
    client.admin.get("/tokens", { query: { client: "true", ...page }, signal }),
  );
  const [revoked, revoke] = useState<ConnectedClient>();
  useTitle(t("tabs.clients"));
  return (
    <>
      <Listing
        listing={clients}
        isFiltered={false}
        empty={isOn ? <EmptyState title={t("noClients")} text={t("noClientsText")} /> : <McpOff />}
      >
        {(items) => (
          <Entries>
            {items.flatMap((token) =>
              token.client === null ? (
                []
              ) : (
                <ClientEntry key={token.id} token={token} onRevoke={() => revoke(token)} />
              ),
            )}
          </Entries>
        )}
      </Listing>
      {revoked !== undefined && <RevokeDialog token={revoked} onClose={() => revoke(undefined)} />}
    </>
  );
}

function RevokeDialog(props: {
  readonly token: AdminOperations["GET /tokens"]["answer"]["data"][number];
  readonly onClose: () => void;
}) {
  const t = useTranslations("mcp");
  const cache = useQueryClient();
  const { id, name, client: connected } = props.token;
  const task = useTask(async () => {
    await client.admin.post("/tokens/{id}/revoke", { path: { id } });
    await renew(cache, { queryKey: ["people"] });
    props.onClose();
  }, []);
  return (
    <ConfirmTask
      title={t("revokeTitle", { name: connected?.name ?? name })}
      confirm={t("revoke")}
      task={task}
      onClose={props.onClose}
    >
      <p>{t("revokeText")}</p>
    </ConfirmTask>
  );
}
