import { client } from "../shell/client.ts";
import {
  type GracePeriod,
  TokenActionDialog,
  type TokenDeed,
} from "../shell/token-action-dialog.tsx";
import { usePeopleChange } from "./people-queries.ts";

/** Asks before something is done with a token of any user, and does it. */
export function TokenDeedDialog(props: {
  readonly token: { readonly id: string; readonly name: string };
  readonly deed: TokenDeed;
  readonly onClose: () => void;
}) {
  const onChange = usePeopleChange();
  const { id, name } = props.token;
  const perform = async (deed: TokenDeed, gracePeriod: GracePeriod) => {
    const path = { id };
    try {
      if (deed === "regenerate") {
        const data = { gracePeriod };
        return (await client.admin.post("/tokens/{id}/regenerate", { path, data })).data.secret;
      }
      if (deed === "deactivate") await client.admin.post("/tokens/{id}/deactivate", { path });
      if (deed === "activate") await client.admin.post("/tokens/{id}/activate", { path });
      if (deed === "revoke") await client.admin.post("/tokens/{id}/revoke", { path });
      return undefined;
    } finally {
      await onChange();
    }
  };
  return (
    <TokenActionDialog name={name} deed={props.deed} perform={perform} onClose={props.onClose} />
  );
}
