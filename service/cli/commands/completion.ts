import { Argument, Command } from 'commander';
import { bashScript } from '../completion/bash-script.ts';
import { commandTree } from '../completion/command-tree.ts';
import { fishScript } from '../completion/fish-script.ts';
import { zshScript } from '../completion/zsh-script.ts';
import type { Terminal } from '../output.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

const loading = `
To load it with every shell, add a line to the file that the shell starts with:
  ~/.bashrc                   source <(svc completion bash)
  ~/.zshrc, after compinit    source <(svc completion zsh)
  ~/.config/fish/config.fish  svc completion fish | source`;

/**
 * `svc completion <shell>`: prints a script that completes commands and options.
 *
 * @param wholeProgram builds the program with all of its commands, from which the script is made
 */
export function completionCommand(terminal: Terminal, wholeProgram: () => Promise<Command>): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'shell that loads the script').choices(Object.keys(scripts)))
    .addHelpText('after', loading)
    .action(async (shell: keyof typeof scripts) => {
      terminal.stdout.write(scripts[shell](commandTree(await wholeProgram())));
    });
}
