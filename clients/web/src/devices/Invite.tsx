import { computed, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { useFocusKept } from "./focus";
import { usePolling } from "./polling";
import { addressOf, pictureOf } from "./qr";
import { answerAsker, askerOf, type Invitation, invite } from "./requests";
import { codeOf, Trouble } from "./trouble";
import type { Words } from "./words";

interface Shown {
  readonly code: string;
  readonly until: number;
  readonly invitation: Invitation;
}

/** Outlives the panel: whoever closes and opens it again finds the same code. */
const shown = signal<Shown | null>(null);

/** A code is shown, or somebody asks with it. */
export const inviting = computed(() => /open|asked/.test(shown.value?.invitation.state ?? ""));

/** The side that invites: shows a code, sees who asks with it, and answers. */
export function Invite({ words, onJoined }: { words: Words; onJoined: () => void }) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const now = shown.value;
  const state = now?.invitation.state;
  const section = useFocusKept(state);
  const learn = (invitation: Invitation) => {
    if (shown.value !== null) shown.value = { ...shown.value, invitation };
  };
  const fail = (code: string) => {
    const expired = code === "no-code";
    if (expired) shown.value = null;
    setTrouble(expired ? "expired" : code);
  };
  usePolling(inviting.value, () => askerOf(shown.value!.code), learn, fail);

  const show = async () => {
    setTrouble(null);
    try {
      const { code, seconds } = await invite();
      shown.value = { code, until: Date.now() + seconds * 1000, invitation: { state: "open" } };
    } catch (error) {
      setTrouble(codeOf(error));
    }
  };
  const answer = async (code: string, approve: boolean) => {
    setTrouble(null);
    try {
      learn({ ...shown.value!.invitation, ...(await answerAsker(code, approve)) });
      if (approve) onJoined();
    } catch (error) {
      fail(codeOf(error));
    }
  };

  return (
    <section ref={section} tabIndex={-1} data-invitation={state ?? ""}>
      {/* Here before what it says, so that it is said. */}
      <div role="alert">
        {state === "approved" && <p>{words.approved}</p>}
        {state === "refused" && <p>{words.refused}</p>}
        {now !== null && state === "asked" && (
          <>
            <h3>{words.asks(now.invitation.name ?? "?")}</h3>
            <p>{words.check}</p>
            <p class="code" data-check={now.invitation.check}>
              {now.invitation.check}
            </p>
          </>
        )}
      </div>
      {now !== null && state === "open" && <Code words={words} shown={now} />}
      <Trouble words={words} code={trouble} />
      {now !== null && state === "asked" && (
        <div class="buttons">
          <button
            type="button"
            class="button"
            data-action="refuse"
            onClick={() => void answer(now.code, false)}
          >
            {words.refuse}
          </button>
          <button
            type="button"
            class="button primary"
            data-action="approve"
            onClick={() => void answer(now.code, true)}
          >
            {words.approve}
          </button>
        </div>
      )}
      {!inviting.value && (
        <p>
          <button type="button" class="button big" data-action="invite" onClick={() => void show()}>
            {words.show}
          </button>
        </p>
      )}
    </section>
  );
}

function Code({ words, shown: { code, until } }: { words: Words; shown: Shown }) {
  const [minutes, setMinutes] = useState(1);
  useEffect(() => {
    const count = () => setMinutes(Math.max(1, Math.ceil((until - Date.now()) / 60_000)));
    count();
    const timer = setInterval(count, 5_000);
    return () => clearInterval(timer);
  }, [until]);
  const { size, path } = pictureOf(addressOf(location.origin, code));
  return (
    <>
      <p>{words.scan}</p>
      <svg
        class="qr"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={words.qr}
        shape-rendering="crispEdges"
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <p class="code" data-code={code}>
        {code}
      </p>
      <p class="note">{words.left(minutes)}</p>
    </>
  );
}
