import { useState } from "react";
import { useTranslations } from "use-intl";
import { userFound } from "../shell/find-people.ts";
import { Section } from "../ui/section.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import type { User } from "./people-queries.ts";
import { TokenListing } from "./token-listing.tsx";

/** The access tokens of one person. */
export function UserTokens({ user }: { readonly user: User }) {
  const t = useTranslations("tokens");
  const people = useTranslations("people");
  const [isCreating, create] = useState(false);
  return (
    <Section
      title={people("userTabs.tokens")}
      text={t("rights")}
      aside={
        <ToolButton kind="primary" onClick={() => create(true)}>
          {t("new")}
        </ToolButton>
      }
    >
      <TokenListing search={{ userId: user.id }} isOfOne />
      {isCreating && (
        <NewTokenDialog
          owner={userFound(user.id, user.name, user.email)}
          onClose={() => create(false)}
        />
      )}
    </Section>
  );
}
