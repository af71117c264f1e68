; Installs Footnote for the person who runs it: no administrator is asked.
Unicode true
SetDateSave off ; the same files give the same installer
SetCompressor /SOLID lzma
Name "Footnote"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Footnote"
RequestExecutionLevel user
ManifestDPIAware true
Icon "${ICON}"
UninstallIcon "${ICON}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Footnote"
VIAddVersionKey FileDescription "Footnote installer"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey CompanyName "The Footnote authors"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey LegalCopyright "The Footnote authors, MIT licence"

!include MUI2.nsh
!include FileFunc.nsh
!include WinMessages.nsh
!include StrFunc.nsh
${StrStr}
${UnStrRep}
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\Footnote Window.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

; A program that runs cannot be replaced: it is waited for, and then the person is asked.
!macro WaitForFootnote UN
Function ${UN}WaitForFootnote
  StrCpy $0 0
  again:
  IfFileExists "$INSTDIR\footnote.exe" 0 done
  ClearErrors
  FileOpen $1 "$INSTDIR\footnote.exe" a
  IfErrors busy
  FileClose $1
  Goto done
  busy:
  IntOp $0 $0 + 1
  IntCmp $0 20 ask 0 ask
  Sleep 500
  Goto again
  ask:
  StrCpy $0 0
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "Footnote is running. Close it, then try again." /SD IDCANCEL IDRETRY again
  SetErrorLevel 5
  Quit
  done:
FunctionEnd
!macroend
!insertmacro WaitForFootnote ""
!insertmacro WaitForFootnote "un."

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Footnote"

; A file can be opened with Footnote; which program opens it by itself stays as it is.
!macro OpenWith EXTENSION
  WriteRegNone HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids" "Footnote.Document"
!macroend
!macro NotOpenWith EXTENSION
  DeleteRegValue HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids" "Footnote.Document"
!macroend

Section
  Call WaitForFootnote
  SetOutPath "$INSTDIR"
  File "${DIR}\footnote.exe"
  File "${DIR}\Footnote Window.exe"
  File "${DIR}\LICENSE"
  File "${DIR}\NOTICE"
  File "${DIR}\LICENSES.txt"
  CreateShortcut "$SMPROGRAMS\Footnote.lnk" "$INSTDIR\Footnote Window.exe"
  WriteRegStr HKCU "Software\Classes\footnote" "" "URL:Footnote"
  WriteRegStr HKCU "Software\Classes\footnote" "URL Protocol" ""
  WriteRegStr HKCU "Software\Classes\footnote\shell\open\command" "" '"$INSTDIR\Footnote Window.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\Footnote.Document" "" "Document"
  WriteRegStr HKCU "Software\Classes\Footnote.Document\shell\open\command" "" '"$INSTDIR\Footnote Window.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\Directory\shell\Footnote" "" "Ask with Footnote"
  WriteRegStr HKCU "Software\Classes\Directory\shell\Footnote" "Icon" "$INSTDIR\footnote.exe"
  WriteRegStr HKCU "Software\Classes\Directory\shell\Footnote\command" "" '"$INSTDIR\Footnote Window.exe" "%1"'
  !insertmacro OpenWith pdf
  !insertmacro OpenWith docx
  !insertmacro OpenWith xlsx
  !insertmacro OpenWith pptx
  !insertmacro OpenWith odt
  !insertmacro OpenWith epub
  !insertmacro OpenWith md
  !insertmacro OpenWith txt
  !insertmacro OpenWith html
  !insertmacro OpenWith eml
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Footnote"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Footnote authors"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\footnote.exe"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
  ; footnote.exe is found by terminals. A Path too long for NSIS reads as empty and stays as it is.
  ClearErrors
  ReadRegStr $0 HKCU "Environment" "Path"
  IfErrors 0 known
  StrCpy $2 0
  look:
  EnumRegValue $1 HKCU "Environment" $2
  StrCmp $1 "" write
  StrCmp $1 "Path" done
  IntOp $2 $2 + 1
  Goto look
  known:
  StrCmp $0 "" done
  ${StrStr} $1 ";$0;" ";$INSTDIR;"
  StrCmp $1 "" 0 done
  StrCpy $0 "$0;"
  write:
  StrLen $1 "$0$INSTDIR"
  IntCmp $1 ${NSIS_MAX_STRLEN} done 0 done
  WriteRegExpandStr HKCU "Environment" "Path" "$0$INSTDIR"
  SendMessage ${HWND_BROADCAST} ${WM_WININICHANGE} 0 "STR:Environment" /TIMEOUT=2000
  done:
SectionEnd

; The reader's data stays where it is.
Section Uninstall
  Call un.WaitForFootnote
  Delete "$INSTDIR\footnote.exe"
  Delete "$INSTDIR\Footnote Window.exe"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\NOTICE"
  Delete "$INSTDIR\LICENSES.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Footnote.lnk"
  DeleteRegKey HKCU "Software\Classes\footnote"
  DeleteRegKey HKCU "Software\Classes\Footnote.Document"
  DeleteRegKey HKCU "Software\Classes\Directory\shell\Footnote"
  !insertmacro NotOpenWith pdf
  !insertmacro NotOpenWith docx
  !insertmacro NotOpenWith xlsx
  !insertmacro NotOpenWith pptx
  !insertmacro NotOpenWith odt
  !insertmacro NotOpenWith epub
  !insertmacro NotOpenWith md
  !insertmacro NotOpenWith txt
  !insertmacro NotOpenWith html
  !insertmacro NotOpenWith eml
  DeleteRegKey HKCU "${UNINSTALL}"
  ReadRegStr $0 HKCU "Environment" "Path"
  StrCmp $0 "" done
  ${UnStrRep} $1 "$0" ";$INSTDIR" ""
  StrCmp $1 "$0" done
  WriteRegExpandStr HKCU "Environment" "Path" "$1"
  SendMessage ${HWND_BROADCAST} ${WM_WININICHANGE} 0 "STR:Environment" /TIMEOUT=2000
  done:
SectionEnd
