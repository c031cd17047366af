import { useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { FindBox, type Found } from "../shell/find-box.tsx";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { adminMemberships, type Membership, type Memberships } from "./memberships.ts";
import { usePeopleChange } from "./people-queries.ts";

interface AddMembershipProps {
  readonly label: string;
  readonly submit: string;
  readonly findKey: readonly string[];
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Found[]>;
  /** Ids of records that are not offered, such as the roles that the person has. */
  readonly without: readonly string[];
  readonly membershipOf: (found: Found) => Membership;
  /** The Admin API by default. */
  readonly by?: Memberships;
}

/** Adds a person to a role. Administrators can do everything, so their number grows only after a question. */
export function AddMembership(props: AddMembershipProps) {
  const t = useTranslations("people");
  const { by = adminMemberships } = props;
  const onChange = usePeopleChange();
  const [chosen, choose] = useState<Found>();
  const [added, setAdded] = useState<string>();
  const [isAsking, ask] = useState(false);
  const task = useTask(async () => {
    if (chosen === undefined) return;
    setAdded(undefined);
    try {
      const outcome = await by.add(props.membershipOf(chosen), isAsking);
      if (outcome === "ASK") {
        ask(true);
        return;
      }
    } finally {
      await onChange();
    }
    ask(false);
    choose(undefined);
    setAdded(chosen.label);
  }, []);
  const isMember = task.code === "CONFLICT" || task.code === "UNIQUE_VIOLATION";
  const failure = isMember ? t("memberAlready") : task.failure;
  const name = chosen === undefined ? "" : props.membershipOf(chosen).person.name;
  return (
    <form noValidate onSubmit={task.submit} className="grid gap-2">
      {failure !== undefined && !isAsking && <Notice kind="danger">{failure}</Notice>}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-[0_1_20rem]">
          <FindBox
            label={props.label}
            chosen={chosen}
            onChoose={choose}
            findKey={props.findKey}
            find={props.find}
            without={props.without}
          />
        </div>
        <Button type="submit" isBusy={task.isBusy}>
          {props.submit}
        </Button>
      </div>
      <p role="status" className="text-2 text-ink-2 empty:hidden" dir="auto">
        {added === undefined ? "" : t("added", { name: added })}
      </p>
      {isAsking && (
        <ConfirmTask
          title={t("administratorTitle", { name })}
          confirm={t("administratorConfirm")}
          failure={failure}
          task={task}
          onClose={() => ask(false)}
        >
          {t("administratorText")}
        </ConfirmTask>
      )}
    </form>
  );
}
