package app
import ("testing";"fmt";"strings";"time";"os";"context"
"footnote/backend/command";"footnote/backend/library";"footnote/backend/evidence")
func TestZZ(t *testing.T){
 house,err:=Program{}.openHouse(t.Context(), command.Flags{Data: os.Getenv("ZZ_DATA"), Set: []string{"library.watch=false","models.chat=none","web.enabled=false"}})
 if err!=nil{t.Fatal(err)}
 defer house.Close(context.Background())
 if err:=house.Library.Start(t.Context());err!=nil{t.Fatal(err)}
 l:=house.Library
 for i:=0;i<100 && !l.Meaning.Whole();i++{time.Sleep(100*time.Millisecond)}
 fmt.Println("whole",l.Meaning.Whole())
 for _,q:=range strings.Split(os.Getenv("ZZ_Q"),"|"){
  fmt.Println("##",q)
  show:=func(name string, hits []library.Hit){
   var ids []evidence.PassageID
   for _,h:=range hits{ids=append(ids,h.ID)}
   placed,_:=l.Catalog.Passages(t.Context(),ids)
   by:=map[evidence.PassageID]library.Placed{}
   for _,p:=range placed{by[p.Passage.ID]=p}
   for i,h:=range hits{ if i<14 {p:=by[h.ID]; tx:=strings.ReplaceAll(p.Passage.Text,"\n"," "); if len(tx)>130{tx=tx[:130]}; fmt.Printf("%s %2d %.3f [%s] %s\n",name,i,h.Score,p.Passage.ID,tx)}}
  }
  w,_:=l.Index.Words(t.Context(),library.Query{Text:q,N:200}); show("W",w)
  v,ok:=l.Meaning.Nearest(t.Context(),q,nil,nil,200); fmt.Println(ok); show("V",v)
 }
}
