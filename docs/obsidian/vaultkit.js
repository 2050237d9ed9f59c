// Actions of vaultkit for macros of the plugin QuickAdd. Each runs vaultkit in the vault's folder.
const { execFile } = require("child_process");
const { homedir } = require("os");
const { join } = require("path");

// pipx and uv put programs into ~/.local/bin, which Obsidian often does not search.
const PROGRAMS = ["vaultkit", join(homedir(), ".local", "bin", "vaultkit")];

// Resolve to {code, stdout, stderr}; `code` is "ENOENT" if there is no vaultkit. `input` goes to stdin.
async function run({ app }, words, input = "") {
  const options = { cwd: app.vault.adapter.getBasePath(), windowsHide: true, maxBuffer: 2 ** 26 };
  let done;
  for (const program of PROGRAMS) {
    done = await new Promise((resolve) => {
      const child = execFile(program, words, options, (error, stdout, stderr) =>
        resolve({ code: error ? error.code : 0, stdout, stderr }));
      child.stdin.on("error", () => {});
      child.stdin.end(input);
    });
    if (done.code !== "ENOENT") break;
  }
  return done;
}

function show({ quickAddApi }, title, { code, stdout, stderr }) {
  const missing = "vaultkit was not found. Write its full path into PROGRAMS in _quickadd/vaultkit.js.";
  const text = code === "ENOENT" ? missing : `${stdout}\n${stderr}`;
  return quickAddApi.infoDialog(title, text.trim().split("\n"));
}

async function activePath(params) {
  const file = params.app.workspace.getActiveFile();
  if (!file) await params.quickAddApi.infoDialog("vaultkit", "Open a note first.");
  return file ? file.path : "";
}

async function chooseGame(params, isWanted) {
  const done = await run(params, ["games", "--json"]);
  if (done.code !== 0) {
    await show(params, "vaultkit", done);
    return "";
  }
  const list = JSON.parse(done.stdout);
  const games = (list.items ?? list).filter(isWanted);
  return params.quickAddApi.suggester(games.map((game) => game.title), games.map((game) => game.id), "Game");
}

async function printNote(params) {
  const path = await activePath(params);
  if (path) await show(params, "Print this note", await run(params, ["print", "rules", path, "--open"]));
}

async function checkNote(params) {
  const path = await activePath(params);
  if (path) await show(params, "Check this note", await run(params, ["check", path]));
}

async function logGame(params) {
  const game = await chooseGame(params, (row) => row.ready);
  if (!game) return;
  const form = await run(params, ["log", game, "--example"]);
  if (form.code !== 0) return show(params, "Log a game", form);
  const filled = await params.quickAddApi.wideInputPrompt("Fill in the scores", "", form.stdout);
  await show(params, "Log a game", await run(params, ["log", "--from", "-"], filled));
}

async function openTable(params) {
  const game = await chooseGame(params, (row) => row.deck && row.ready);
  if (game) await show(params, "The table is closed", await run(params, ["play", game, "--table"]));
}

module.exports = { printNote, checkNote, logGame, openTable };
