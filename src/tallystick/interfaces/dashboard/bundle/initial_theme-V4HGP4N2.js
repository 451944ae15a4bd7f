(()=>{for(let[t,e]of[["theme","system"],["density","compact"]])document.documentElement.dataset[t]=localStorage.getItem(`tallystick.${t}`)||e;})();
