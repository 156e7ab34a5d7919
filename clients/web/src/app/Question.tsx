import { useApp } from "./context";
import { Dialog } from "./Dialog";

/** 「回大厅」 and 「重新开始」 ask first, and say what becomes of the game. */
export function Question({ about }: { about: "leave" | "restart" }) {
  const app = useApp();
  const { confirm } = app.words.value;
  const match = (app.game.confirmed.value?.format ?? 1) > 1;
  const close = () => {
    app.panel.value = null;
  };
  const leaving = about === "leave";
  return (
    <Dialog kind="question" title={leaving ? confirm.leave : confirm.restart} onClose={close}>
      <p>{leaving ? confirm.leaveText : match ? confirm.restartMatch : confirm.restartGame}</p>
      <div class="buttons">
        <button type="button" class="button" data-action="no" onClick={close}>
          {confirm.stay}
        </button>
        <button
          type="button"
          class="button primary"
          data-action="yes"
          onClick={() => (leaving ? app.toLobby() : app.restart())}
        >
          {leaving ? confirm.leaveYes : confirm.restartYes}
        </button>
      </div>
    </Dialog>
  );
}
