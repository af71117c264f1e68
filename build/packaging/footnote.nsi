; Installs Footnote for the person who runs it: no administrator is asked.
Unicode true
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
VIAddVersionKey LegalCopyright "The Footnote authors, MIT licence"

!include MUI2.nsh
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\footnote.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Footnote"

; A file can be opened with Footnote; which program opens it by itself stays as it is.
!macro OpenWith EXTENSION
  WriteRegNone HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids" "Footnote.Document"
!macroend
!macro NotOpenWith EXTENSION
  DeleteRegValue HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids" "Footnote.Document"
!macroend

Section
  SetOutPath "$INSTDIR"
  File "${DIR}\footnote.exe"
  File "${DIR}\footnote-cli.exe"
  File "${DIR}\LICENSE"
  File "${DIR}\NOTICE"
  File "${DIR}\LICENSES.txt"
  CreateShortcut "$SMPROGRAMS\Footnote.lnk" "$INSTDIR\footnote.exe"
  WriteRegStr HKCU "Software\Classes\footnote" "" "URL:Footnote"
  WriteRegStr HKCU "Software\Classes\footnote" "URL Protocol" ""
  WriteRegStr HKCU "Software\Classes\footnote\shell\open\command" "" '"$INSTDIR\footnote.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\Footnote.Document" "" "Document"
  WriteRegStr HKCU "Software\Classes\Footnote.Document\shell\open\command" "" '"$INSTDIR\footnote.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\Directory\shell\Footnote" "" "Ask with Footnote"
  WriteRegStr HKCU "Software\Classes\Directory\shell\Footnote" "Icon" "$INSTDIR\footnote.exe"
  WriteRegStr HKCU "Software\Classes\Directory\shell\Footnote\command" "" '"$INSTDIR\footnote.exe" "%1"'
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
SectionEnd

; The reader's data stays where it is.
Section Uninstall
  Delete "$INSTDIR\footnote.exe"
  Delete "$INSTDIR\footnote-cli.exe"
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
SectionEnd
