package walk

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// systemFolders hold what a system is made of and what it knows of its users.
var systemFolders = map[string][]string{
	"linux": strings.Fields("/etc /proc /sys /dev /boot /bin /sbin /lib /lib32 /lib64 /libx32 /usr /snap /lost+found " +
		"/run/systemd /run/udev /run/user /run/lock /run/secrets /run/credentials /var/lib /var/log /var/spool /var/mail /var/cache /var/run /var/backups"),
	"darwin": strings.Fields("/etc /dev /bin /sbin /usr /System /Library /Applications /cores /private/etc /private/var/db /private/var/log /private/var/root /private/var/audit"),
}

// OfTheSystem reports whether a path lies in a folder of the system, or is one that
// holds such folders.
func OfTheSystem(path string) bool {
	if runtime.GOOS == "windows" {
		return ofWindows(path)
	}
	return InSystem(path) || slices.ContainsFunc(ownFolders(), func(folder string) bool { return isAbove(path, folder) })
}

// InSystem reports whether a path lies in a folder of the system.
func InSystem(path string) bool {
	return slices.ContainsFunc(ownFolders(), func(folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") })
}

// ownFolders are the folders of this system.
func ownFolders() []string {
	if folders := systemFolders[runtime.GOOS]; folders != nil {
		return folders
	}
	return systemFolders["linux"]
}

// isAbove reports whether a folder stands in a path.
func isAbove(path, folder string) bool {
	return strings.HasPrefix(folder, strings.TrimRight(path, "/")+"/")
}

// ofWindows is OfTheSystem for paths with a drive.
func ofWindows(path string) bool {
	rest := strings.ToLower(filepath.ToSlash(strings.TrimPrefix(path, filepath.VolumeName(path))))
	if rest == "" || rest == "/" {
		return true
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	return slices.Contains([]string{"windows", "program files", "program files (x86)", "programdata", "recovery", "system volume information", "$recycle.bin", "perflogs"}, first)
}
