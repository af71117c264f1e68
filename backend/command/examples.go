package command

// examples are what --help and the manual show, by command.
var examples = map[string]string{
	"footnote": `  footnote ask How high is the tower
  footnote ask --files ~/Documents/contracts "How long is the notice period?"
  footnote library add ~/Documents
  footnote serve --open`,
	"footnote ask": `  footnote ask How high is the tower
  footnote ask --offline --files lease.pdf "How long is the notice period?"
  footnote ask --mode deep "How do heat pumps age?"
  git log -5 | footnote ask -
  footnote ask --json "Who opened the bridge?" | jq .citations`,
	"footnote library": `  footnote library add ~/Documents
  footnote library search "notice period" type:pdf
  footnote library list`,
	"footnote threads": `  footnote threads lighthouse
  footnote ask --thread thr_… "And in winter?"`,
	"footnote export": `  footnote export thr_… > answer.md
  footnote export --format pdf thr_… | lp
  footnote export --format docx -o answer.docx thr_…`,
	"footnote models": `  footnote models
  footnote models use chat ollama/qwen3:8b`,
	"footnote serve": `  footnote serve --open
  footnote serve --addr 127.0.0.1:7411`,
	"footnote keys":    `  pass openai | footnote keys set openai`,
	"footnote backup":  `  footnote backup ~/footnote-backup.zip`,
	"footnote restore": `  footnote restore ~/footnote-backup.zip`,
	"footnote doctor": `  footnote doctor
  footnote doctor --web
  footnote doctor --json | jq '.[] | select(.ok | not)'`,
	"footnote import":      `  footnote import answers.zip`,
	"footnote keys set":    `  pass anthropic | footnote keys set anthropic`,
	"footnote keys remove": `  footnote keys remove anthropic`,
	"footnote library add": `  footnote library add ~/Documents
  footnote library add --wait lease.pdf`,
	"footnote library remove": `  footnote library remove ~/Documents/old`,
	"footnote library list": `  footnote library list
  footnote library list --json`,
	"footnote library rescan":    `  footnote library rescan`,
	"footnote library search":    `  footnote library search "notice period" type:pdf`,
	"footnote library count":     `  footnote library count lighthouse`,
	"footnote library status":    `  footnote library status`,
	"footnote library why":       `  footnote library why lease.pdf "How long is the notice period?"`,
	"footnote library cite-keys": `  footnote library cite-keys ~/thesis/references.bib`,
	"footnote library zotero": `  footnote library zotero
  footnote library zotero ~/Zotero`,
	"footnote library collection": `  footnote library collection`,
	"footnote library collection add": `  footnote library collection add Contracts ~/Documents/contracts
  footnote ask "What is the notice period in @Contracts?"`,
	"footnote library collection remove": `  footnote library collection remove Contracts
  footnote library collection remove Contracts ~/Documents/contracts/old.pdf`,
	"footnote library collection rename": `  footnote library collection rename Contracts Leases`,
	"footnote team": `  footnote team init --administrator ann
  footnote team add Bridges ~/Documents/bridges`,
	"footnote team init":       `  footnote team init --administrator ann`,
	"footnote team doctor":     `  footnote team doctor`,
	"footnote team person":     `  footnote team person bob`,
	"footnote team collection": `  footnote team collection Bridges`,
	"footnote team grant":      `  footnote team grant Bridges bob reader`,
	"footnote team revoke":     `  footnote team revoke Bridges bob`,
	"footnote team block":      `  footnote team block bob`,
	"footnote team group":      `  footnote team group Office`,
	"footnote team join":       `  footnote team join Office bob`,
	"footnote team leave":      `  footnote team leave Office bob`,
	"footnote team share":      `  footnote team share ann thr_aaaaaaaaaaaaaaaaaaaaaaaaaa bob`,
	"footnote team shares":     `  footnote team shares`,
	"footnote team unshare":    `  footnote team unshare shr_aaaaaaaaaaaaaaaaaaaaaaaaaa`,
	"footnote team export":     `  footnote team export bob > bob.jsonl`,
	"footnote team erase":      `  footnote team erase bob --yes`,
	"footnote team add":        `  footnote team add Bridges ~/Documents/bridges`,
	"footnote team list":       `  footnote team list`,
	"footnote team audit":      `  footnote team audit`,
	"footnote man":             `  footnote man ~/.local/share/man/man1`,
	"footnote mcp":             `  footnote mcp`,
	"footnote models list":     `  footnote models list anthropic`,
	"footnote models use": `  footnote models use chat ollama/qwen3:8b
  footnote models use rewrite none`,
	"footnote models test":     `  footnote models test ollama/qwen3:8b`,
	"footnote models pull":     `  footnote models pull ollama/qwen3:8b`,
	"footnote models allow":    `  footnote models allow anthropic`,
	"footnote models disallow": `  footnote models disallow anthropic`,
	"footnote personas": `  footnote personas
  footnote ask --persona brief "How do heat pumps age?"`,
	"footnote refresh": `  footnote refresh thr_…
  footnote refresh --every week thr_…
  footnote refresh --list`,
	"footnote table": `  footnote table a.pdf b.pdf --ask "Who signed?" --ask "Until when?"
  footnote table ~/Documents/contracts/*.pdf --ask "Who signed?" --xlsx contracts.xlsx`,
	"footnote threads remove": `  footnote threads remove thr_…`,
	"footnote version": `  footnote version
  footnote version --json`,
	"footnote completion":            `  footnote completion bash > ~/.local/share/bash-completion/completions/footnote`,
	"footnote completion bash":       `  footnote completion bash > ~/.local/share/bash-completion/completions/footnote`,
	"footnote completion zsh":        `  footnote completion zsh > ~/.zfunc/_footnote`,
	"footnote completion fish":       `  footnote completion fish > ~/.config/fish/completions/footnote.fish`,
	"footnote completion powershell": `  footnote completion powershell | Out-String | Invoke-Expression`,
	"footnote eval": `  footnote eval retrieval sets/scifact
  footnote eval speed ~/Documents`,
	"footnote eval answering": `  footnote eval answering sets --limit 40 --only squad2`,
	"footnote eval ask":       `  footnote eval ask questions.jsonl`,
	"footnote eval chunking":  `  footnote eval chunking sets/scifact`,
	"footnote eval citations": `  footnote eval citations pairs.jsonl`,
	"footnote eval conflicts": `  footnote eval conflicts ramdocs.jsonl`,
	"footnote eval documents": `  footnote eval documents papers`,
	"footnote eval pages":     `  footnote eval pages sites`,
	"footnote eval research":  `  footnote eval research`,
	"footnote eval retrieval": `  footnote eval retrieval sets/scifact`,
	"footnote eval speed":     `  footnote eval speed ~/Documents`,
	"footnote eval table":     `  footnote eval table sets/tables`,
}
