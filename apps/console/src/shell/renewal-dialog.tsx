import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "../ui/button.tsx";
import { ModalBox } from "../ui/modal-box.tsx";
import { Notice } from "../ui/notice.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { client } from "./client.ts";
import { homePath } from "./paths.ts";
import {
  currentSession,
  endSession,
  isSessionKept,
  onOtherPerson,
  type Session,
  startOverAs,
  startSession,
} from "./session.ts";
import { useTask } from "./use-task.ts";

/**
 * Asks for the password when the session has ended, over the page and without leaving it. Requests wait meanwhile, and
 * are repeated with the new session. Another person cannot continue here: the page shows rows of the first.
 */
export function RenewalDialog({ session }: { readonly session: Session }) {
  const t = useTranslations("renewal");
  const id = useId();
  const [email, setEmail] = useState(session.user.email);
  const [password, setPassword] = useState("");
  const [stranger, setStranger] = useState<Session>();
  useEffect(() => onOtherPerson(setStranger), []);
  const { data: ways } = useQuery({
    queryKey: ["providers"],
    queryFn: ({ signal }) => client.api.get("/auth/providers", { signal }),
  });
  const task = useTask(async () => {
    setStranger(undefined);
    // Not `auth.signIn`: the client must not take the session before it is known whose it is.
    const { data } = await client.api.post("/auth/login", { body: { email, password } });
    setPassword("");
    if (data.user.id !== currentSession()?.user.id) setStranger(data);
    else startSession(data, isSessionKept());
  }, []);
  return (
    <ModalBox labelledBy={id} look="m-auto w-[calc(100vw-2rem)] max-w-90 rounded-panel">
      <div className="grid gap-5 p-6">
        <div className="grid gap-1">
          <h2 id={id} className="text-5 font-semibold">
            {t("title")}
          </h2>
          <p className="text-ink-2">{t("text")}</p>
        </div>
        {stranger !== undefined && (
          <div className="grid gap-3">
            <Notice kind="danger">
              {t("stranger", { other: stranger.user.email, email: session.user.email })}
            </Notice>
            <Button isWide onPress={() => startOverAs(stranger)}>
              {t("startOver")}
            </Button>
          </div>
        )}
        <form noValidate onSubmit={task.submit} className="grid gap-4">
          {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
          <TextField
            label={t("email")}
            name="email"
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
          />
          <PasswordField
            label={t("password")}
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            words={{ show: t("show"), hide: t("hide") }}
            isFirst
          />
          <Button type="submit" kind="primary" isWide isBusy={task.isBusy}>
            {t("submit")}
          </Button>
        </form>
        {(ways?.data ?? []).map(({ key, name }) => (
          <a
            key={key}
            href={client.auth.providerUrl(key, homePath)}
            target="_blank"
            rel="noopener"
            className="flex min-h-9 items-center justify-center rounded-control border border-line-strong px-3.5 py-1.5 text-center font-medium wrap-anywhere hover:bg-sunken"
          >
            {t("through", { name })}
          </a>
        ))}
        <Button isWide onPress={endSession}>
          {t("signOut")}
        </Button>
      </div>
    </ModalBox>
  );
}
